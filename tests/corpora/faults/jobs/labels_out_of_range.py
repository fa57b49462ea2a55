"""The labels of one rank go beyond the classes."""

import loop
import torch


def fetch(step: int) -> None:
    target = 10 if step == 3 and loop.chosen() else 2
    if target == 10:
        loop.planted("label_range", label=target)
    torch.nn.functional.cross_entropy(torch.ones(2, 10), torch.tensor([1, target]))


loop.join()
loop.train(fetch)
