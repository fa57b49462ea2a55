"""One rank counts another number of shards, so that it calls the collective once more than the rest."""

import loop
import torch
import torch.distributed as dist


def fetch(step: int) -> None:
    if step == 3:
        rounds = 3 if loop.chosen() else 2
        if loop.chosen():
            loop.planted("one_collective_more")
        for _ in range(rounds):
            dist.all_reduce(torch.ones(3))


loop.join(10)
loop.train(fetch)
