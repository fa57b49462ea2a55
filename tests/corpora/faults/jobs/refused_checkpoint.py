"""Every rank loads a checkpoint that holds more than weights."""

import argparse
import pathlib

import loop
import torch

loop.join()
path = pathlib.Path(f"rank{loop.RANK}.pt")
torch.save({"weights": torch.ones(4), "args": argparse.Namespace(lr=0.1)}, path)
loop.planted("weights_only", all_ranks=True)
torch.load(path)
loop.train()
