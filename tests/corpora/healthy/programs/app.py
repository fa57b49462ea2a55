"""A small web service; one of its addresses fails on purpose and answers with an error page."""

import logging

from fastapi import FastAPI, HTTPException

app = FastAPI()
log = logging.getLogger("uvicorn.error")


@app.get("/predict/{number}")
def predict(number: int) -> dict[str, float]:
    if number == 13:
        raise HTTPException(503, "model is still loading")
    log.info("predicted %d in 0.8 ms", number)
    return {"score": number / 10}
