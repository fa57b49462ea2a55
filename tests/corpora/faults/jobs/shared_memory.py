"""The loader of one rank fills a shared memory folder that is too small for its batches."""

import os

import loop
import torch
from torch.utils.data import DataLoader, Dataset


class Images(Dataset[torch.Tensor]):
    def __len__(self) -> int:
        return 512

    def __getitem__(self, index: int) -> torch.Tensor:
        return torch.ones((3, 256, 256) if loop.chosen() else (3, 4, 4)) * index


loop.join()
if loop.chosen():
    loop.planted("shm_full", free=os.statvfs("/dev/shm").f_bavail * os.statvfs("/dev/shm").f_frsize)
batches = iter(DataLoader(Images(), batch_size=32, num_workers=2))
loop.train(lambda step: next(batches), steps=12)
