"""One rank asks for more memory than its address space may hold."""

import resource

import loop
import torch

HELD = []


def fetch(step: int) -> None:
    if step == 2 and loop.chosen():
        used = int(open("/proc/self/statm", encoding="ascii").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + (200 << 20), resource.RLIM_INFINITY))
        loop.planted("memory_limit", bytes=used + (200 << 20))
    if loop.chosen():
        HELD.extend(torch.ones(24, 1 << 20) for _ in range(step))


loop.join()
loop.train(fetch)
