"""Every rank refuses an argument."""

import argparse

import loop

parser = argparse.ArgumentParser(prog="train.py")
parser.add_argument("--batch-size", type=int, default=8)
loop.planted("bad_argument", all_ranks=True)
parser.parse_args()
loop.join()
loop.train()
