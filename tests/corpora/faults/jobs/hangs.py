"""One rank waits for its data and never comes to the collective."""

import time

import loop


def fetch(step: int) -> None:
    if step == 3 and loop.chosen():
        loop.planted("hang")
        time.sleep(600)


loop.join(10)
loop.train(fetch)
