"""One rank does not come to a monitored barrier."""

import time
from datetime import timedelta

import loop
import torch.distributed as dist


def fetch(step: int) -> None:
    if step == 3:
        if loop.chosen():
            loop.planted("straggler")
            time.sleep(90)
        dist.monitored_barrier(timeout=timedelta(seconds=5), wait_all_ranks=True)


loop.join(30)
loop.train(fetch)
