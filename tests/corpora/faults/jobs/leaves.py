"""One rank believes it is done and leaves in good order while the others go on."""

import sys

import loop


def fetch(step: int) -> None:
    if step == 4 and loop.chosen():
        loop.planted("early_exit", code=0)
        loop.log.info("rank %d: no more batches", loop.RANK)
        sys.exit(0)


loop.join()
loop.train(fetch)
