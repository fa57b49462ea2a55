"""A loader worker of one rank gets SIGKILL while it reads a sample."""

import os
import signal

import loop
import torch
from torch.utils.data import DataLoader, Dataset


class Samples(Dataset[torch.Tensor]):
    def __len__(self) -> int:
        return 64

    def __getitem__(self, index: int) -> torch.Tensor:
        if index == 37 and loop.chosen():
            loop.planted("worker_sigkill", index=index)
            os.kill(os.getpid(), signal.SIGKILL)
        return torch.full((4,), float(index))


loop.join()
batches = iter(DataLoader(Samples(), batch_size=8, num_workers=1, prefetch_factor=1))
loop.train(lambda step: next(batches))
