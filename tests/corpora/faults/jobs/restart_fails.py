"""Each attempt fails on another rank and with another error; the last one counts."""

import os

import loop

ATTEMPT = int(os.environ["TORCHELASTIC_RESTART_COUNT"])


def fetch(step: int) -> None:
    if ATTEMPT == 0 and step == 3 and loop.RANK == 0:
        loop.planted("raise", exc="OSError", attempt=0)
        raise OSError(5, "Input/output error", "/mnt/shared/shard-0007.tar")
    if ATTEMPT == 1 and step == 4 and loop.chosen():
        loop.planted("raise", exc="IndexError", attempt=1)
        raise IndexError(f"index {50257 + step} is out of bounds for dimension 0 with size 50257")


loop.join()
loop.log.info("attempt %d", ATTEMPT)
loop.train(fetch)
