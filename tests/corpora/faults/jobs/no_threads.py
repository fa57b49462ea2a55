"""One rank may not start another thread."""

import os
import pathlib
import threading
import time

import loop


def fetch(step: int) -> None:
    if step == 3 and loop.chosen():
        group = pathlib.Path(os.environ["PIDS_GROUP"])
        running = len(os.listdir("/proc/self/task"))
        (group / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")
        (group / "pids.max").write_text(str(running + 2), encoding="ascii")
        loop.planted("thread_limit", limit=running + 2)
        for _ in range(8):
            threading.Thread(target=time.sleep, args=(5,), daemon=True).start()


loop.join()
loop.train(fetch)
