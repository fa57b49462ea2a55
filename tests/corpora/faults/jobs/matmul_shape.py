"""Every rank feeds a tensor of the wrong width."""

import loop
import torch

loop.join()
model = torch.nn.Sequential(torch.nn.Linear(16, 32), torch.nn.ReLU(), torch.nn.Linear(24, 4))
loop.planted("matmul_shape", all_ranks=True)
model(torch.ones(8, 16))
loop.train()
