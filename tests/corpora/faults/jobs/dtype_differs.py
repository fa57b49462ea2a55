"""One rank brings its gradients in another number format."""

import loop
import torch
import torch.distributed as dist

loop.join()
gradient = torch.ones(64, dtype=torch.bfloat16 if loop.chosen() else torch.float32)
if loop.chosen():
    loop.planted("dtype", dtype="bfloat16")
dist.all_reduce(gradient)
loop.train()
