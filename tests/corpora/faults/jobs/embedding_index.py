"""The tokens of one rank go beyond the embedding."""

import loop
import torch


def fetch(step: int) -> None:
    table = torch.nn.Embedding(50257, 4)
    tokens = torch.tensor([1, 2, 50257 if step == 3 and loop.chosen() else 3])
    if step == 3 and loop.chosen():
        loop.planted("embedding_index", index=50257)
    table(tokens)


loop.join()
loop.train(fetch)
