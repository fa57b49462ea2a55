"""One rank stacks samples of unequal length."""

import loop
import torch
from torch.utils.data import default_collate


def fetch(step: int) -> None:
    lengths = (7, 9) if step == 4 and loop.chosen() else (7, 7)
    if lengths[1] != 7:
        loop.planted("collate", lengths=lengths)
    default_collate([torch.ones(length) for length in lengths])


loop.join()
loop.train(fetch)
