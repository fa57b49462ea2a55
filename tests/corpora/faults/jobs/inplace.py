"""Every rank changes a value that the backward pass still needs."""

import loop
import torch

loop.join()
weights = torch.ones(4, requires_grad=True)
hidden = torch.sigmoid(weights)
hidden += 1
loop.planted("inplace", all_ranks=True)
hidden.sum().backward()
loop.train()
