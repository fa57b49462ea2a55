"""One rank needs longer for a step than the others are ready to wait, and then goes on."""

import time

import loop


def fetch(step: int) -> None:
    if step == 2 and loop.chosen():
        loop.planted("straggler")
        loop.log.info("rank %d: building the index of shard 17", loop.RANK)
        time.sleep(18)
        loop.log.info("rank %d: index built", loop.RANK)


loop.join(8)
loop.train(fetch)
