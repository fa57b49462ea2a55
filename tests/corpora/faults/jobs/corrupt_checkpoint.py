"""One rank resumes from a checkpoint whose end is missing."""

import pathlib

import loop
import torch

loop.join()
path = pathlib.Path(f"rank{loop.RANK}.pt")
torch.save({"weights": torch.ones(1 << 18)}, path)
if loop.chosen():
    path.write_bytes(path.read_bytes()[:-300])
    loop.planted("truncated_checkpoint")
loop.log.info("rank %d resumes from %s", loop.RANK, path)
torch.load(path)
loop.train()
