"""Progress bars with carriage returns around the error of one rank."""

import sys
import time

import loop


def fetch(step: int) -> None:
    for done in range(0, 101, 20):
        sys.stderr.write(
            f"\rEpoch {step}: {done:3d}%|{'█' * (done // 10):<10}| {done}/100 [00:0{done // 25}<00:00, 41.20it/s, loss=0.{done:03d}]"
        )
        sys.stderr.flush()
        time.sleep(0.01)
    if step == 3 and loop.chosen():
        loop.planted("raise", exc="AssertionError")
        raise AssertionError("boxes must lie inside the image: [12, 40, 700, 480] in 640x480")


loop.join()
loop.train(fetch)
