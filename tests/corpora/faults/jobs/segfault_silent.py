"""One rank dies of a segmentation fault without a word."""

import os
import signal

import loop


def fetch(step: int) -> None:
    if step == 3 and loop.chosen():
        loop.planted("sigsegv")
        os.kill(os.getpid(), signal.SIGSEGV)


loop.join()
loop.train(fetch)
