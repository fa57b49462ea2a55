"""One rank writes a file over the size that its limits allow."""

import resource
import signal

import loop


def fetch(step: int) -> None:
    if step == 3 and loop.chosen():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        loop.planted("file_size_limit", exc="OSError")
        with open(f"shard-{step}.idx", "wb", buffering=0) as file:
            for _ in range(3):
                file.write(bytes(4000))


loop.join()
loop.train(fetch)
