"""A run that ends well although its log is full of alarming lines."""

import logging
import warnings

import loop


def read(shard: str, attempt: int) -> bytes:
    if attempt < 3:
        raise ConnectionResetError(104, "Connection reset by peer")
    return shard.encode()


def fetch(step: int) -> None:
    if step == 2 and loop.RANK == 1:
        for attempt in (1, 2, 3):
            try:
                read("shard-0003", attempt)
            except ConnectionResetError:
                loop.log.exception("ERROR reading shard-0003, retrying (%d/3)", attempt)
        loop.log.info("shard-0003 read at attempt 3")
    if step == 3 and loop.RANK == 2:
        warnings.warn("CUDA initialization: Found no NVIDIA driver on your system.", UserWarning, stacklevel=1)
        loop.log.warning("Gradient overflow. Skipping step, loss scaler reducing loss scale to 32768.0")
        loop.log.warning("out of memory fallback is off; failed_allocs=0 errors=0 timeouts=0")
    if step == 4:
        loop.log.error("metrics endpoint 127.0.0.1:9: Connection refused (non-fatal, metrics dropped)")
    if step == 5 and loop.RANK == 0:
        try:
            raise FileNotFoundError(2, "No such file or directory", "out/best.pt")
        except FileNotFoundError:
            loop.log.warning("no earlier checkpoint, going on", exc_info=True)


loop.join()
logging.getLogger("fabric").error("link check: 0 errors, 0 failed, 0 killed, 0 segmentation faults")
loop.train(fetch)
