"""One rank brings a tensor of another shape into the collective."""

import loop
import torch
import torch.distributed as dist


def fetch(step: int) -> None:
    if step == 3:
        if loop.chosen():
            loop.planted("wrong_shape", shape=[4, 6])
        dist.all_reduce(torch.ones(4, 6) if loop.chosen() else torch.ones(4, 4))


loop.join(10)
loop.train(fetch)
