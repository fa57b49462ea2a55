"""Every rank sees the same loss that is not a number and stops."""

import loop
import torch


def fetch(step: int) -> None:
    value = loop.average(torch.tensor(float("inf") if step == 4 else 1.0))
    if not torch.isfinite(value):
        loop.planted("nan_loss", all_ranks=True)
        raise FloatingPointError(f"loss is {value.item()} at step {step}, stopping")


loop.join()
loop.train(fetch)
