"""A small data-parallel training loop; the script that calls it plants one fault in it.

What was planted goes to the file named by FAULT_TRUTH, never to the log.
"""

import json
import logging
import os
import sys
import time
from collections.abc import Callable
from datetime import timedelta

import torch
import torch.distributed as dist

log = logging.getLogger("train")
FORMAT = "%(asctime)s - %(levelname)s - %(name)s - %(message)s"


def place() -> tuple[int, int]:
    """Give rank and world size, whichever launcher set them."""
    for rank, size in (
        ("RANK", "WORLD_SIZE"),
        ("SLURM_PROCID", "SLURM_NTASKS"),
        ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    ):
        if rank in os.environ:
            return int(os.environ[rank]), int(os.environ[size])
    return 0, 1


RANK, SIZE = place()


def chosen() -> bool:
    """Tell whether this rank is one of those in FAULT_RANK."""
    return str(RANK) in os.environ.get("FAULT_RANK", "").split(",")


def planted(kind: str, **more: object) -> None:
    """Note in the side file what is about to go wrong."""
    row = {"rank": RANK, "pid": os.getpid(), "time": time.time(), "kind": kind, **more}
    with open(os.environ["FAULT_TRUTH"], "a", encoding="utf-8") as side:
        side.write(json.dumps(row) + "\n")


def join(seconds: float = 12, backend: str = "gloo") -> None:
    """Open the log and the process group."""
    logging.basicConfig(level=logging.INFO, format=os.environ.get("LOG_FORMAT", FORMAT), stream=sys.stderr)
    dist.init_process_group(backend, rank=RANK, world_size=SIZE, timeout=timedelta(seconds=seconds))
    log.info("initialized: rank %d of %d, pid %d", RANK, SIZE, os.getpid())


def average(tensor: torch.Tensor) -> torch.Tensor:
    """Average over all ranks."""
    dist.all_reduce(tensor)
    return tensor / SIZE


def advance(model: torch.nn.Module, optimizer: torch.optim.Optimizer, seed: int) -> float:
    """Take one step and give the loss."""
    generator = torch.Generator().manual_seed(seed)
    loss = model(torch.randn(8, 16, generator=generator)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    for parameter in model.parameters():
        parameter.grad = average(parameter.grad)
    optimizer.step()
    return loss.item()


def train(fetch: Callable[[int], object] = lambda step: None, steps: int = 6, first: int = 1) -> None:
    """Train; `fetch` stands for whatever a step needs and may fail."""
    torch.manual_seed(7)
    model = torch.nn.Sequential(torch.nn.Linear(16, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for step in range(first, steps + 1):
        fetch(step)
        loss = advance(model, optimizer, 100 * step + RANK)
        if RANK == 0:
            log.info("step %d/%d | loss %.4f", step, steps, loss)
    dist.barrier()
    if RANK == 0:
        log.info("training finished after %d steps", steps)
    dist.destroy_process_group()
