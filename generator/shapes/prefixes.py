"""What stands before a message: ranks, processes, hosts and loggers.

Typed labels: a global rank, a local rank, a task, a rank within a group and a device are never the same field.
"""

from __future__ import annotations

from generator.shapes.shape import Shape

_STAMP = "[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?(?:Z|[+-][0-9]{2}:?[0-9]{2})?"
_LEVEL = "(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)"

PREFIXES = (
    Shape(
        id="quote",
        pattern="^ {0,3}> ?",
        samples={"> [rank0]: Traceback": ()},
        misses=("->",),
    ),
    Shape(
        id="torch-rank",
        pattern="^ {0,12}\\[rank([0-9]{1,6})\\]: ?",
        gives=("rank",),
        samples={"[rank2]: KeyError: 'label'": ("2",)},
        misses=("[rank: 1] Child process",),
    ),
    Shape(
        id="lightning-rank",
        pattern="^ {0,12}\\[rank: ([0-9]{1,6})\\] ",
        gives=("local",),
        samples={"[rank: 1] Child process with PID 2053468 terminated with code 1.": ("1",)},
    ),
    Shape(
        id="rank-tag",
        pattern="^ {0,12}[\\[(<](?:[Gg]lobal[ _]?)?(?:rank|RANK)(?:[ :=_-]|: )?([0-9]{1,6})(?:/[0-9]{1,6})?[\\])>]:? ?",
        gives=("rank",),
        samples={"[rank 1][INFO] step 3": ("1",), "(rank=0) loading": ("0",), "[rank 2/8] ready": ("2",)},
        misses=("(rank of the matrix)", "[ranking 3] x", "rank 3: no heartbeat"),
    ),
    Shape(
        id="c10d",
        pattern=(
            "^ {0,12}\\[[EWIF](?:[0-9]{3,4} [0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{1,9})? ?[A-Za-z0-9_]{1,60}\\."
            "(?:cpp|hpp|h|cu):[0-9]{1,6}\\] ?"
        ),
        samples={
            "[E626 06:24:44.903881913 ProcessGroupNCCL.cpp:616] [Rank 1] Watchdog": (),
            "[E ProcessGroupNCCL.cpp:458] [Rank 0] Watchdog caught": (),
        },
    ),
    Shape(
        id="process-group",
        pattern="^ {0,12}\\[PG (?:ID )?[0-9]{1,6}(?: PG GUID [^\\] ]{1,80})?(?: Rank ([0-9]{1,6}))\\] ?",
        gives=("group_rank",),
        samples={"[PG ID 0 PG GUID 0(default_pg) Rank 1] Exception": ("1",), "[PG 1 Rank 3] Timeout": ("3",)},
    ),
    Shape(
        id="c10d-rank",
        pattern="^ {0,12}\\[Rank ([0-9]{1,6})\\]:? ",
        gives=("inner_rank",),
        samples={"[Rank 0]: Rank 2 failed to pass monitoredBarrier in 5000 ms": ("0",), "[Rank 1] Watchdog": ("1",)},
    ),
    Shape(
        id="torch-logger",
        pattern=(
            "^ {0,12}[EWIFC][0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3,9} ([0-9]{1,10}) "
            "[A-Za-z0-9_/.-]{1,200}:[0-9]{1,6}\\] "
        ),
        gives=("logger_pid",),
        samples={
            "W1130 19:20:30.575000 26273 torch/distributed/elastic/multiprocessing/api.py:1028] Sending": ("26273",)
        },
    ),
    Shape(
        id="torch-logger-old",
        pattern=f"^ {{0,12}}\\[{_STAMP}\\] torch[A-Za-z0-9_.]{{0,100}}: \\[{_LEVEL}\\] ",
        samples={"[2024-04-10 16:04:34,970] torch.distributed.elastic.multiprocessing.api: [WARNING] Unable": ()},
    ),
    Shape(
        id="logging-basic",
        pattern=f"^ {{0,12}}{_LEVEL}:[A-Za-z_][A-Za-z0-9_.]{{0,100}}:",
        samples={"WARNING:torch.distributed.elastic.multiprocessing.api:Sending process 899505": ()},
    ),
    Shape(
        id="torchrun-tee",
        pattern="^ {0,12}\\[([A-Za-z_][A-Za-z_-]{0,30}?)([0-9]{1,6})\\]: ?",
        gives=("role", "local"),
        samples={"[default2]:[rank2]: Traceback": ("default", "2")},
        misses=("[2]: item",),
    ),
    Shape(
        id="mpirun",
        pattern="^ {0,12}\\[[0-9]{1,6},([0-9]{1,6})\\]<(?:stdout|stderr|stddiag)>: ?",
        gives=("task",),
        samples={"[1,2]<stderr>:[rank2]: KeyError": ("2",)},
    ),
    Shape(
        id="mpirun-stamp",
        pattern=(
            "^ {0,12}[A-Z][a-z]{2} [A-Z][a-z]{2} {1,2}[0-9]{1,2} [0-9]{2}:[0-9]{2}:[0-9]{2} [0-9]{4}(?:<"
            "(?:stdout|stderr)>:)?"
        ),
        samples={"Mon Nov 30 19:58:56 2026[1,0]<stdout>:hi": (), "Mon Nov 30 19:58:56 2026<stdout>:hi": ()},
    ),
    Shape(
        id="srun-label",
        pattern="^ {0,12}([0-9]{1,6}): ",
        gives=("task",),
        samples={"2: [rank2]: KeyError": ("2",), " 0: task 0": ("0",)},
    ),
    Shape(
        id="slurm",
        pattern="^ {0,12}(slurmstepd(?:-[A-Za-z0-9_.-]{1,100})?|srun|slurmctld|sbatch): (?:error: )?",
        gives=("relay",),
        samples={
            "slurmstepd-vm: error: StepId=1.0 exceeded memory limit": ("slurmstepd-vm",),
            "srun: error: vm: task 2": ("srun",),
        },
    ),
    Shape(
        id="worker",
        pattern=(
            "^ {0,12}\\(([A-Za-z_][A-Za-z0-9_.:]{0,80})(?: rank=([0-9]{1,6}))? pid=([0-9]{1,10})(?:, ip=("
            "[0-9A-Za-z.:_-]{1,80}))?\\) ?"
        ),
        gives=("worker", "task", "pid", "host"),
        samples={
            "(RayTrainWorker pid=1193, ip=192.0.2.4) Setting up": ("RayTrainWorker", "", "1193", "192.0.2.4"),
            "(VllmWorker rank=0 pid=1386048) ERROR": ("VllmWorker", "0", "1386048", ""),
            "(EngineCore_DP0 pid=18235) ERROR": ("EngineCore_DP0", "", "18235", ""),
        },
    ),
    Shape(
        id="vllm-logger",
        pattern=(
            f"^ {{0,12}}{_LEVEL} [0-9]{{2}}-[0-9]{{2}} [0-9]{{2}}:[0-9]{{2}}:[0-9]{{2}} \\["
            f"[A-Za-z0-9_./-]{{1,120}}:[0-9]{{1,6}}\\] ?"
        ),
        samples={"ERROR 12-04 11:46:32 [core.py:843] EngineCore failed to start.": ()},
    ),
    Shape(
        id="kubectl",
        pattern="^ {0,12}\\[pod/([^/\\] ]{1,200})/([^\\] ]{1,100})\\] ",
        gives=("pod", "container"),
        samples={"[pod/train-worker-1/pytorch] Traceback": ("train-worker-1", "pytorch")},
    ),
    Shape(
        id="compose",
        pattern="^ {0,12}([A-Za-z][A-Za-z0-9_.-]{0,80}[_-][0-9]{1,5}) {1,20}\\| ?",
        gives=("pod",),
        samples={"trainer-1 | Traceback": ("trainer-1",)},
        misses=("step 1 | loss 2.1", "epoch-loss | 3"),
    ),
    Shape(
        id="deepspeed-logger",
        pattern=(
            f"^ {{0,12}}\\[{_STAMP}\\] \\[{_LEVEL}\\] \\[[A-Za-z0-9_./-]{{1,120}}:[0-9]{{1,6}}:"
            f"[A-Za-z0-9_<>]{{1,80}}\\] "
        ),
        samples={"[2026-11-30 20:00:22,835] [INFO] [launch.py:253:sigkill_handler] Killing subprocess 32653": ()},
    ),
    Shape(
        id="pdsh",
        pattern="^ {0,12}([A-Za-z][A-Za-z0-9.-]{0,60}-[0-9]{1,5}): ",
        gives=("host",),
        samples={"worker-1: [2022-09-08 12:02:16,518] [INFO]": ("worker-1",)},
        misses=("RuntimeError: x",),
    ),
    Shape(
        id="nccl",
        pattern="^ {0,12}([A-Za-z0-9][A-Za-z0-9_.-]{0,100}):([0-9]{1,10}):[0-9]{1,10} \\[([0-9]{1,3})\\] ",
        gives=("host", "pid", "device"),
        samples={"node-1:5125:6199 [2] NCCL INFO [Service thread]": ("node-1", "5125", "2")},
    ),
    Shape(
        id="python-logger",
        pattern=f"^ {{0,12}}\\[?{_STAMP}\\]? ?(?:[-|:] )?",
        samples={"2026-11-30 19:20:17,694 - INFO - train - step 1": (), "[2026-03-03 12:11:38] node:1:2 [1] NCCL": ()},
    ),
    Shape(
        id="clock",
        pattern=("^ {0,12}[\\[(<]?[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?(?: ?[AP]M)?(?:[\\])>] ?| )(?:[-|] )?"),
        samples={"[12:14:26][rank 0][INFO] step": (), "12:14:26.123 | INFO": ()},
        misses=("12:14:26",),
    ),
    Shape(
        id="level",
        pattern=f"^ {{0,12}}[\\[<]({_LEVEL}) {{0,4}}[\\]>]:? ?",
        gives=("level",),
        samples={"[INFO] step 3": ("INFO",), "[ERROR]: failed": ("ERROR",)},
        misses=("[ERROR in x]",),
    ),
    Shape(
        id="rich-logger",
        pattern="^ {0,12}\\[[0-9]{2}/[0-9]{2}/[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}\\] ?",
        samples={"[12/01/26 12:14:26] ERROR cache miss, rebuilding": ()},
    ),
    Shape(
        id="json-rank-level",
        pattern=(
            '^ {0,12}\\{[^{}]{0,200}"(?:global_)?rank": ?"?([0-9]{1,6})"?,[^{}]{0,200}"'
            '(?:lvl|level|levelname|severity)": ?"([A-Za-z]{1,20})"[^{}]{0,200}"(?:msg|message|event)": ?"'
        ),
        gives=("rank", "level"),
        samples={'{"rank": 2, "level": "error", "message": "no such shard"}': ("2", "error")},
    ),
    Shape(
        id="json-level-rank",
        pattern=(
            '^ {0,12}\\{[^{}]{0,200}"(?:lvl|level|levelname|severity)": ?"([A-Za-z]{1,20})"[^{}]{0,200}'
            '"(?:global_)?rank": ?"?([0-9]{1,6})"?,[^{}]{0,200}"(?:msg|message|event)": ?"'
        ),
        gives=("level", "rank"),
        samples={'{"ts": 1.5, "lvl": "info", "rank": 1, "msg": "step 3/6"}': ("info", "1")},
        misses=('{"ts": 1.5, "lvl": "info", "local_rank": 1, "msg": "step 3/6"}',),
    ),
    Shape(
        id="json-logger",
        pattern=(
            '^ {0,12}\\{[^{}]{0,200}"(?:lvl|level|levelname|severity)": ?"([A-Za-z]{1,20})"'
            '[^{}]{0,200}"(?:msg|message|event)": ?"'
        ),
        gives=("level",),
        samples={'{"ts": 1796091516.1, "lvl": "ERROR", "msg": "record 38 is malformed"}': ("ERROR",)},
        misses=('{"loss": 1.2, "epoch": 3}',),
    ),
    Shape(
        id="letter-logger",
        pattern=f"^ {{0,12}}\\[([DIWECF]) {_STAMP}\\] ",
        gives=("level",),
        samples={"[W 2026-12-01 02:14:08,327] Trial 3 failed": ("W",)},
    ),
    Shape(
        id="kernel",
        pattern="^ {0,12}\\[ {0,8}[0-9]{1,9}\\.[0-9]{6}\\] ",
        samples={"[ 1399.140323] NVRM: Xid": (), "[337533.314412] Memory cgroup": ()},
    ),
    Shape(
        id="viewer",
        pattern="^ {0,12}(?:\\[[0-9]{3,7}\\]|[0-9]{1,4}\\|[^|]{1,60}\\|) ",
        samples={"[80746] [rank0]:[E321": (), "0|bash run-5b | (RayTrainWorker": ()},
    ),
)
"""Taken off a line's front again and again, each kept as a label of its own; the first that fits goes first."""
