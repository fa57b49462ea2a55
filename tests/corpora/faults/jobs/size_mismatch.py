"""Every rank loads a checkpoint whose vocabulary is larger."""

import loop
import torch

model = torch.nn.ModuleDict({"wte": torch.nn.Embedding(100, 8), "head": torch.nn.Linear(8, 100)})
loop.join()
state = {"wte.weight": torch.ones(108, 8), "head.weight": torch.ones(108, 8), "head.bias": torch.ones(108)}
loop.planted("size_mismatch", all_ranks=True)
model.load_state_dict(state)
loop.train()
