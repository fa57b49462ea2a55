"""One rank builds a list in Python until its address space is full."""

import resource

import loop


def tokenize(limit: int) -> list[bytes]:
    return [bytes(1 << 20) for _ in range(limit)]


def fetch(step: int) -> None:
    if step == 3 and loop.chosen():
        used = int(open("/proc/self/statm", encoding="ascii").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + (300 << 20), resource.RLIM_INFINITY))
        loop.planted("memory_limit", exc="MemoryError")
        tokenize(4000)


loop.join()
loop.train(fetch)
