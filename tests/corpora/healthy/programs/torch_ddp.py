"""Two or more ranks under torchrun; group, model and talk are drawn by the seed."""

import os
import time

import torch
import torch.distributed as dist
from drawn import CHOICE, SEED, flaky, log
from torch import nn
from torch.nn.parallel import DistributedDataParallel

dist.init_process_group("gloo")
rank, size = dist.get_rank(), dist.get_world_size()
log.info(
    "initialized: rank %d of %d, pid %d, restart %s",
    rank,
    size,
    os.getpid(),
    os.environ.get("TORCHELASTIC_RESTART_COUNT"),
)
torch.manual_seed(SEED)
static = CHOICE.random() < 0.3
model = DistributedDataParallel(
    nn.Sequential(nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 4)),
    find_unused_parameters=not static,
    static_graph=static,
)
optimizer = torch.optim.AdamW(model.parameters())
steps = CHOICE.randint(8, 30)
for step in range(1, steps + 1):
    flaky(step)
    loss = model(torch.randn(8, 32)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 5 == 0:
        mean = loss.detach().clone()
        dist.all_reduce(mean)
        log.info("[rank %d] step %d/%d loss %.4f mean %.4f", rank, step, steps, loss.item(), mean.item() / size)
    if step % 10 == 0:
        dist.barrier()
dist.monitored_barrier()
objects = [None] * size
dist.all_gather_object(objects, {"rank": rank, "failed": 0})
log.info("rank %d: %s", rank, objects)
dist.barrier()
if SEED % 3:
    dist.destroy_process_group()
time.sleep(0.5 * (rank == 0))  # it hosts the store
