"""One rank reads a null pointer in native code; the error handler writes what it was doing."""

import ctypes

import loop
from torch.distributed.elastic.multiprocessing.errors import record


def fetch(step: int) -> None:
    if step == 3 and loop.chosen():
        loop.planted("sigsegv")
        ctypes.string_at(0)


@record
def main() -> None:
    loop.join()
    loop.train(fetch)


main()
