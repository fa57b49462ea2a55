"""An error is handled on one rank; another rank later fails for good."""

import loop


def fetch(step: int) -> None:
    if step == 2 and loop.RANK == 0:
        try:
            raise TimeoutError(110, "Connection timed out")
        except TimeoutError:
            loop.log.exception("object store did not answer, trying the mirror")
        loop.log.info("read from the mirror")
    if step == 4 and loop.chosen():
        loop.planted("raise", exc="ZeroDivisionError")
        print(1 / (step - 4))


loop.join()
loop.train(fetch)
