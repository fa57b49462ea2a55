"""The rank that writes the checkpoint may not write there."""

import loop
import torch


def fetch(step: int) -> None:
    if step == 3 and loop.chosen():
        loop.planted("read_only", exc="RuntimeError")
        torch.save({"step": step}, "/proc/checkpoints/last.pt")


loop.join()
loop.train(fetch)
