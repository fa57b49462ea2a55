"""One rank calls broadcast where the others call all_reduce."""

import loop
import torch
import torch.distributed as dist


def fetch(step: int) -> None:
    value = torch.ones(4)
    if step == 3:
        if loop.chosen():
            loop.planted("wrong_collective", op="broadcast")
            dist.broadcast(value, src=loop.RANK)
        else:
            dist.all_reduce(value)


loop.join(10)
loop.train(fetch)
