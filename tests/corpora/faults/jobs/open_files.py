"""One rank opens more files than it may."""

import resource

import loop

KEPT = []


def fetch(step: int) -> None:
    if step == 3 and loop.chosen():
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
        loop.planted("open_files", limit=64)
        KEPT.extend(open(__file__, encoding="utf-8") for _ in range(100))


loop.join()
loop.train(fetch)
