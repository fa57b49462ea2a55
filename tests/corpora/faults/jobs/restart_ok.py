"""The first attempt fails on one rank, the second ends well."""

import os

import loop


def fetch(step: int) -> None:
    if os.environ["TORCHELASTIC_RESTART_COUNT"] == "0" and step == 3 and loop.chosen():
        loop.planted("raise", exc="OSError", attempt=0)
        raise OSError(5, "Input/output error", "/mnt/shared/shard-0007.tar")


loop.join()
loop.log.info("attempt %s", os.environ["TORCHELASTIC_RESTART_COUNT"])
loop.train(fetch)
