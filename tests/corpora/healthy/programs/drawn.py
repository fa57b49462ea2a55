"""What the training programs share: choices drawn by a seed, a log in one of several styles, things that go wrong and are handled."""

import logging
import os
import random
import sys
import time
import warnings

SEED = int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdigit() else int(os.environ.get("SEED", "0"))
CHOICE = random.Random(SEED)
STYLES = (
    "%(asctime)s - %(levelname)s - %(name)s - %(message)s",
    "%(levelname)s:%(name)s:%(message)s",
    "[%(asctime)s] [%(levelname)s] [%(filename)s:%(lineno)d:%(funcName)s] %(message)s",
    "%(asctime)s.%(msecs)03d | %(levelname)-8s | %(process)d | %(message)s",
    '{"ts": %(created).3f, "lvl": "%(levelname)s", "msg": "%(message)s"}',
    "%(message)s",
)
logging.basicConfig(level=logging.INFO, format=CHOICE.choice(STYLES), stream=CHOICE.choice((sys.stdout, sys.stderr)))
log = logging.getLogger(CHOICE.choice(("train", "trainer", "__main__", "model.fit")))


def flaky(step: int) -> None:
    """Meet one of the troubles that a program lives with: retried, skipped, or only warned of."""
    if CHOICE.random() > 0.12:
        return
    kind = CHOICE.randrange(9)
    if kind == 0:
        for attempt in (1, 2):
            try:
                raise ConnectionResetError(104, "Connection reset by peer")
            except ConnectionResetError as error:
                log.warning("read of shard-%04d failed (%s), retry %d of 3", step, error, attempt)
        log.info("shard-%04d read", step)
    elif kind == 1:
        try:
            open(f"cache/{step}.idx", encoding="utf-8").close()
        except FileNotFoundError:
            log.info("no index for %d yet, building it", step, exc_info=CHOICE.random() < 0.3)
    elif kind == 2:
        log.warning("step %d: gradient norm inf, step skipped, scale now 32768.0", step)
    elif kind == 3:
        warnings.warn("The given buffer is not writable; copying it", UserWarning, stacklevel=2)
    elif kind == 4:
        log.error("metrics push to 127.0.0.1:9091 failed: Connection refused; dropped, 0 lost")
    elif kind == 5:
        try:
            int("n/a")
        except ValueError:
            log.exception("record %d is malformed and is left out", step)
    elif kind == 6:
        log.warning("slow step %d: 1.92 s, of which 1.71 s waiting for data; no timeout", step)
    elif kind == 7:
        log.info("memory: allocated 312 MiB, peak 498 MiB, failed allocations 0, oom kills 0")
    else:
        started = time.monotonic()
        try:
            raise TimeoutError("timed out after 0.05 s")
        except TimeoutError as error:
            log.warning("heartbeat: %s, trying again", error)
        log.debug("took %.3f", time.monotonic() - started)
