"""Two ranks fail at the same step, each in its own way."""

import loop


def fetch(step: int) -> None:
    if step == 3 and loop.chosen():
        loop.planted("raise")
        if loop.RANK % 2:
            raise UnicodeDecodeError("utf-8", b"\xff\xfe", 0, 1, "invalid start byte")
        raise FileNotFoundError(2, "No such file or directory", "/data/tokens/part-0031.npy")


loop.join()
loop.train(fetch)
