"""A loader worker of one rank fails on a damaged record."""

import loop
import torch
from torch.utils.data import DataLoader, Dataset


class Records(Dataset[torch.Tensor]):
    def __len__(self) -> int:
        return 64

    def __getitem__(self, index: int) -> torch.Tensor:
        text = "12,x7" if index == 21 and loop.chosen() else "12,17"
        if "x" in text:
            loop.planted("worker_raise", exc="ValueError", index=index)
        return torch.tensor([int(field) for field in text.split(",")])


loop.join()
batches = iter(DataLoader(Records(), batch_size=4, num_workers=2))
loop.train(lambda step: next(batches), steps=8)
