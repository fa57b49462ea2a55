"""Four ranks under torch.multiprocessing; what one of them does is told by FAULT."""

import os
import signal
import sys

import torch.multiprocessing as mp


def work(rank: int, size: int) -> None:
    os.environ.update(RANK=str(rank), WORLD_SIZE=str(size))
    import loop

    def fetch(step: int) -> None:
        if step != 3 or not loop.chosen():
            return
        loop.planted(os.environ["FAULT"])
        if os.environ["FAULT"] == "raise":
            raise ValueError(f"sequence of {4096 + step} tokens is longer than the 4096 positions")
        if os.environ["FAULT"] == "sigkill":
            os.kill(os.getpid(), signal.SIGKILL)
        if os.environ["FAULT"] == "exit":
            sys.exit(3)

    loop.join()
    loop.train(fetch)


if __name__ == "__main__":
    mp.spawn(work, args=(4,), nprocs=4)
    print("all four processes ended well")
