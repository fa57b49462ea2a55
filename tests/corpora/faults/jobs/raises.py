"""One rank meets a sample without a label."""

import loop

SAMPLES = {1: {"image": 3, "label": 0}, 2: {"image": 5, "label": 1}, 3: {"image": 8}}


def parse(sample: dict[str, int]) -> int:
    return sample["label"]


def fetch(step: int) -> None:
    if step == 3 and loop.chosen():
        loop.planted("raise", exc="KeyError")
        parse(SAMPLES[3])


loop.join()
loop.train(fetch)
