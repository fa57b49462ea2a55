"""Every rank feeds bfloat16 into float32 weights."""

import loop
import torch
from torch.nn.parallel import DistributedDataParallel

loop.join()
model = DistributedDataParallel(torch.nn.Linear(16, 4))
loop.planted("tensor_dtype", all_ranks=True)
model(torch.ones(2, 16, dtype=torch.bfloat16))
loop.train()
