"""A branch of the model takes no part in the loss."""

import loop
import torch
from torch.nn.parallel import DistributedDataParallel


class Branches(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.used, self.spare = torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        return self.used(values)


loop.join()
model = DistributedDataParallel(Branches())
for step in range(1, 4):
    if step == 2:
        loop.planted("unused_params", all_ranks=True)
    model(torch.ones(2, 4)).sum().backward()
    loop.log.info("rank %d step %d", loop.RANK, step)
loop.train()
