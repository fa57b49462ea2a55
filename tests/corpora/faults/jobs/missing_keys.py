"""Every rank loads a checkpoint that was saved from another model."""

import loop
import torch

model = torch.nn.ModuleDict({"encoder": torch.nn.Linear(4, 4), "head": torch.nn.Linear(4, 2)})
loop.join()
state = {name.replace("head", "classifier"): value for name, value in model.state_dict().items()}
loop.planted("missing_keys", all_ranks=True)
model.load_state_dict(state)
loop.train()
