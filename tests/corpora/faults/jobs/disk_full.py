"""One rank writes its checkpoint to a disk that has no room left."""

import os
import pathlib

import loop
import torch


def fetch(step: int) -> None:
    if step == 3 and loop.chosen():
        loop.planted("disk_full")
        target = pathlib.Path(os.environ["CHECKPOINTS"]) / f"rank{loop.RANK}-step{step}.bin"
        with target.open("wb") as file:
            for _ in range(64):
                file.write(torch.ones(1 << 18).numpy().tobytes())
                file.flush()


loop.join()
loop.train(fetch)
