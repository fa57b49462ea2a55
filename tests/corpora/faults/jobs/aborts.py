"""One rank aborts itself: a check in native code does not hold."""

import faulthandler
import os

import loop


def fetch(step: int) -> None:
    if step == 4 and loop.chosen():
        loop.planted("sigabrt")
        os.abort()


faulthandler.enable()
loop.join()
loop.train(fetch)
