"""One rank gets SIGKILL from outside in the middle of a step."""

import os
import signal

import loop


def fetch(step: int) -> None:
    if step == 3 and loop.chosen():
        loop.planted("sigkill")
        os.kill(os.getpid(), signal.SIGKILL)


loop.join()
loop.train(fetch)
