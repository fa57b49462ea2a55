"""A layer is used twice under re-entrant checkpointing, so that its parameters are ready twice."""

import loop
import torch
from torch.nn.parallel import DistributedDataParallel
from torch.utils.checkpoint import checkpoint


class Twice(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        once = checkpoint(self.layer, values, use_reentrant=True)
        return checkpoint(self.layer, once, use_reentrant=True)


loop.join()
model = DistributedDataParallel(Twice(), find_unused_parameters=True)
loop.planted("ready_twice", all_ranks=True)
model(torch.ones(2, 4, requires_grad=True)).sum().backward()
loop.train()
