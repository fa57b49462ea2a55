"""One rank saves with torch.save to a disk that has no room left."""

import os
import pathlib

import loop
import torch


def fetch(step: int) -> None:
    if step == 2 and loop.chosen():
        loop.planted("disk_full", writer="torch.save")
        torch.save({"weights": torch.ones(1 << 22)}, pathlib.Path(os.environ["CHECKPOINTS"]) / "last.pt")


loop.join()
loop.train(fetch)
