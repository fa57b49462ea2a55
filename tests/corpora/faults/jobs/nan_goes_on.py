"""A run whose loss is not a number for a while, which nobody minds, and that ends well."""

import loop


def fetch(step: int) -> None:
    if step in (3, 4) and loop.RANK == 0:
        loop.log.warning("step %d: loss nan, grad norm inf, step skipped", step)


loop.join()
loop.train(fetch)
