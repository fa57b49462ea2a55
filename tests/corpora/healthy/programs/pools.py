"""Process and thread pools, shared memory and asyncio; what fails inside is caught and counted."""

import asyncio
import concurrent.futures
import multiprocessing
from multiprocessing import shared_memory

from drawn import CHOICE, SEED, flaky, log


def work(number: int) -> float:
    return 100 / (number % 5)


async def ask(number: int) -> int:
    await asyncio.wait_for(asyncio.sleep(0.01 * (number % 4)), timeout=0.02)
    return number


async def gather() -> None:
    answers = await asyncio.gather(*(ask(number) for number in range(12)), return_exceptions=True)
    log.info(
        "%d answers, %d timed out as planned",
        sum(isinstance(one, int) for one in answers),
        sum(isinstance(one, TimeoutError) for one in answers),
    )


if __name__ == "__main__":
    multiprocessing.log_to_stderr(CHOICE.choice((10, 20)))
    pool = concurrent.futures.ProcessPoolExecutor if SEED % 2 else concurrent.futures.ThreadPoolExecutor
    with pool(2) as executor:
        for future in [executor.submit(work, number) for number in range(10)]:
            try:
                log.info("%.1f", future.result())
            except ZeroDivisionError as error:
                log.warning("one item left out: %s", error)
    block = shared_memory.SharedMemory(create=True, size=1024)
    block.close()
    block.unlink()
    asyncio.run(gather(), debug=SEED % 3 == 0)
    for step in range(30):
        flaky(step)
