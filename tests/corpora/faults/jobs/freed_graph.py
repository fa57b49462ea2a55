"""Every rank walks the same graph backwards twice."""

import loop
import torch

loop.join()
weights = torch.ones(4, requires_grad=True)
loss = (weights * weights).sum()
loss.backward()
loop.planted("freed_graph", all_ranks=True)
loss.backward()
loop.train()
