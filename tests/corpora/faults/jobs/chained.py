"""One rank wraps its error twice; the first of the chain is the cause."""

import loop


def open_shard(path: str) -> bytes:
    raise PermissionError(13, "Permission denied", path)


def decode(path: str) -> bytes:
    try:
        return open_shard(path)
    except OSError as error:
        raise ValueError(f"cannot decode {path}") from error


def fetch(step: int) -> None:
    if step == 3 and loop.chosen():
        loop.planted("raise", exc="PermissionError")
        try:
            decode("/data/shards/0042.tar")
        finally:
            raise RuntimeError("cleanup of the reader failed: reader is None")


loop.join()
loop.train(fetch)
