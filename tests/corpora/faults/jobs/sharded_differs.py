"""One rank shards a model of another width."""

import loop
import torch
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard

loop.join(10)
width = 24 if loop.chosen() else 16
if loop.chosen():
    loop.planted("fsdp_shape", width=width)
model = torch.nn.Linear(16, width)
fully_shard(model, mesh=init_device_mesh("cpu", (loop.SIZE,)))
model(torch.ones(4, 16)).sum().backward()
loop.train()
