"""One rank builds the model with another width, which DistributedDataParallel notices."""

import loop
import torch
from torch.nn.parallel import DistributedDataParallel

loop.join()
width = 12 if loop.chosen() else 8
if loop.chosen():
    loop.planted("model_shape", width=width)
DistributedDataParallel(torch.nn.Linear(4, width))
loop.train()
