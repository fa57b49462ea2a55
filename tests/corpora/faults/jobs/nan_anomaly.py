"""The loss of one rank has no finite gradient, found by anomaly mode."""

import loop
import torch


def fetch(step: int) -> None:
    if step == 3 and loop.chosen():
        loop.planted("nan_backward")
        scale = torch.zeros(4, requires_grad=True)
        with torch.autograd.set_detect_anomaly(True, check_nan=True):
            (torch.sqrt(scale) * 0).sum().backward()


loop.join()
loop.train(fetch)
