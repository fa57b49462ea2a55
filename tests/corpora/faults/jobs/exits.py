"""One rank leaves with an exit code and no word."""

import os

import loop


def fetch(step: int) -> None:
    if step == 3 and loop.chosen():
        loop.planted("exit", code=7)
        os._exit(7)


loop.join()
loop.train(fetch)
