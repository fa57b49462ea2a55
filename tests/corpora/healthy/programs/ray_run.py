"""Ray tasks and actors; some fail once and are tried again, one actor is replaced."""

import os
import time

import ray
from drawn import SEED, log

ray.init(num_cpus=2, include_dashboard=False, logging_level="INFO" if SEED % 2 else "WARNING")


@ray.remote(max_retries=3, retry_exceptions=True)
def task(number: int, folder: str) -> int:
    mark = os.path.join(folder, f"seen-{number}")
    if number % 3 == SEED % 3 and not os.path.exists(mark):
        open(mark, "w", encoding="utf-8").close()
        raise ConnectionError(f"shard {number} is busy")
    print(f"task {number} done")
    return number


@ray.remote
class Counter:
    def __init__(self) -> None:
        self.total = 0

    def add(self, number: int) -> int:
        self.total += number
        print("total", self.total, "errors", 0)
        return self.total


print(ray.get([task.remote(number, os.getcwd()) for number in range(8)]))
counters = [Counter.remote() for _ in range(2)]
for number in range(5):
    ray.get([counter.add.remote(number) for counter in counters])
time.sleep(1)
log.info("%s", ray.cluster_resources())
ray.shutdown()
