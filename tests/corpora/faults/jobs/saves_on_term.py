"""A run that saves and leaves in good order when it is told to end."""

import signal
import sys
import time

import loop


def leave(number: int, _: object) -> None:
    loop.log.warning("rank %d: got %s, saving and leaving", loop.RANK, signal.Signals(number).name)
    sys.exit(143)


signal.signal(signal.SIGTERM, leave)
loop.join(60)
loop.train(lambda step: time.sleep(0.5), steps=400)
