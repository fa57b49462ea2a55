"""One rank grows beyond the memory of its group, and the kernel kills it."""

import os
import pathlib

import loop
import torch

KEPT = []


def fetch(step: int) -> None:
    if step == 2 and loop.chosen():
        (pathlib.Path(os.environ["MEMORY_GROUP"]) / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")
        loop.planted("kernel_oom")
    if step > 1 and loop.chosen():
        KEPT.extend(torch.ones(16, 1 << 20) for _ in range(4))


loop.join()
loop.train(fetch)
