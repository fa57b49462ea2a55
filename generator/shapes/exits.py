"""Who ended, how, and which process was which rank: the lines of launchers and schedulers that say so."""

from __future__ import annotations

from generator.shapes.shape import Shape

_NAMES = ("Killed", "Terminated", "Segmentation fault", "Aborted", "Bus error", "Illegal instruction")
"""Signals as a shell and srun call them."""
_NAMED = "|".join(_NAMES)

EXITS = (
    Shape(
        id="torchrun-agent",
        pattern="failed \\(exitcode: (-?[0-9]{1,5})\\) local_rank: ([0-9]{1,6}) \\(pid: ([0-9]{1,10})\\)",
        needs=("failed (exitcode: ",),
        gives=("code", "local", "pid"),
        samples={"failed (exitcode: -9) local_rank: 1 (pid: 30404) of binary: python3": ("-9", "1", "30404")},
    ),
    Shape(
        id="srun-exit",
        pattern="(?:^|[^A-Za-z])tasks? ([0-9,-]{1,200}): Exited with exit code ([0-9]{1,5})",
        needs=(": Exited with exit code ",),
        gives=("tasks", "code"),
        samples={
            "vm: task 2: Exited with exit code 3": ("2", "3"),
            "vm: tasks 0,3: Exited with exit code 1": ("0,3", "1"),
        },
    ),
    Shape(
        id="srun-signal",
        pattern=(f"(?:^|[^A-Za-z])tasks? ([0-9,-]{{1,200}}): ({_NAMED}|Out Of Memory)"),
        needs=("task",),
        gives=("tasks", "signal"),
        samples={"vm: tasks 0-1,3: Terminated": ("0-1,3", "Terminated")},
    ),
    Shape(
        id="mpirun-signal",
        pattern=(
            "process rank ([0-9]{1,6}) with PID ([0-9]{1,10}) on node ([A-Za-z0-9_.-]{1,100}) exited on"
            " signal ([0-9]{1,3})"
        ),
        needs=("exited on signal ",),
        gives=("task", "pid", "host", "signal"),
        samples={
            "mpirun noticed that process rank 1 with PID 0 on node vm exited on signal 9 (Killed).": (
                "1",
                "0",
                "vm",
                "9",
            )
        },
    ),
    Shape(
        id="deepspeed",
        # The command that it prints is that of the process it looked at last, not of the one that ended.
        pattern="\\] exits with return code = (-?[0-9]{1,5})",
        needs=("exits with return code = ",),
        gives=("code",),
        samples={"['python', '-u', 's01.py', '--local_rank=3'] exits with return code = 1": ("1",)},
    ),
    Shape(
        id="lightning",
        pattern="Child process with PID ([0-9]{1,10}) terminated with code (-?[0-9]{1,5})",
        needs=("terminated with code ",),
        gives=("pid", "code"),
        samples={"Child process with PID 2053468 terminated with code 1. Forcefully": ("2053468", "1")},
    ),
    Shape(
        id="mp-spawn-signal",
        pattern="process ([0-9]{1,6}) terminated with signal (SIG[A-Z]{2,10})",
        needs=("terminated with signal SIG",),
        gives=("local", "signal"),
        samples={
            "torch.multiprocessing.spawn.ProcessExitedException: process 1 terminated with signal SIGKILL": (
                "1",
                "SIGKILL",
            )
        },
    ),
    Shape(
        id="mp-spawn-code",
        pattern="process ([0-9]{1,6}) terminated with exit code ([0-9]{1,5})",
        needs=("terminated with exit code ",),
        gives=("local", "code"),
        samples={"ProcessExitedException: process 2 terminated with exit code 3": ("2", "3")},
    ),
    Shape(
        id="mp-spawn-head",
        pattern="-- Process ([0-9]{1,6}) terminated with the following error:",
        needs=("terminated with the following error:",),
        gives=("local",),
        samples={"-- Process 1 terminated with the following error:": ("1",)},
    ),
    Shape(
        id="bash-script",
        pattern=f": ([0-9]{{1,10}}) ({_NAMED})(?: \\(core dumped\\))? ",
        needs=_NAMES,
        gives=("pid", "signal"),
        samples={
            "run.sh: line 2: 11416 Killed python3 train.py": ("11416", "Killed"),
            "run.sh: line 9: 11583 Segmentation fault (core dumped) python3 t.py": ("11583", "Segmentation fault"),
        },
        misses=("Out of memory: Killed process 11416 (python3)",),
    ),
    Shape(
        id="shell",
        pattern=f"^({_NAMED})(?: \\(core dumped\\))?$",
        needs=_NAMES,
        gives=("signal",),
        samples={"Killed": ("Killed",), "Segmentation fault (core dumped)": ("Segmentation fault",)},
        misses=("Killed the old server", "Aborted: out of range"),
    ),
)
"""A process's end, as the program that started it tells it."""

MAPS = (
    Shape(
        id="rank-of-pid",
        pattern="(?:^|[^A-Za-z])rank[ :=]{1,2}([0-9]{1,6})(?: of |/| / )([0-9]{1,6}),? ?\\(?pid[ :=]{1,2}([0-9]{1,10})",
        needs=("pid",),
        gives=("rank", "world", "pid"),
        samples={"initialized: rank 2 of 4, pid 28807": ("2", "4", "28807")},
    ),
    Shape(
        id="rank-of-world",
        pattern=(
            "(?:^|[^A-Za-z_])(?:rank|Rank|RANK)[ :=]{1,3}([0-9]{1,6})[,;]? \\(?(?:world|World|WORLD)[_ ]?"
            "(?:size|Size|SIZE)[ :=]{1,3}([0-9]{1,6})"
        ),
        needs=("world", "World", "WORLD"),
        gives=("rank", "world"),
        samples={
            "Setting up process group for: env:// [rank=0, world_size=2]": ("0", "2"),
            "distributed init done: rank 0, world size 3": ("0", "3"),
            "RANK=1 WORLD_SIZE=4": ("1", "4"),
        },
        misses=("local_rank=1, world_size=4",),
    ),
    Shape(
        id="rank-of-process",
        pattern="(?:Process rank: |distributed init \\(rank )([0-9]{1,6})(?:, device: |\\))",
        needs=("Process rank: ", "distributed init (rank "),
        gives=("rank",),
        samples={
            "Process rank: 1, device: cuda:1, n_gpu: 1": ("1",),
            "| distributed init (rank 2): env://": ("2",),
        },
    ),
    Shape(
        id="deepspeed-spawn",
        pattern="process ([0-9]{1,10}) spawned with command: [^\\n]{0,1000}--local_rank=([0-9]{1,6})",
        needs=("spawned with command: ",),
        gives=("pid", "local"),
        samples={"process 32655 spawned with command: ['python', '--local_rank=2']": ("32655", "2")},
    ),
    Shape(
        id="nccl-comm",
        pattern="comm 0x[0-9a-f]{4,20} rank ([0-9]{1,6}) nranks ([0-9]{1,6}) ",
        needs=(" nranks ",),
        gives=("group_rank", "world"),
        samples={"comm 0x55d2 rank 3 nranks 8 cudaDev 3 busId": ("3", "8")},
    ),
    Shape(
        id="gloo-connected",
        pattern="^Rank ([0-9]{1,6}) is connected to ([0-9]{1,6}) peer ranks",
        needs=(" is connected to ",),
        gives=("rank", "peers"),
        samples={"[Gloo] Rank 2 is connected to 3 peer ranks"[7:]: ("2", "3")},
    ),
    Shape(
        id="lightning-world",
        pattern="GLOBAL_RANK: ([0-9]{1,6}), MEMBER: [0-9]{1,6}/([0-9]{1,6})",
        needs=("GLOBAL_RANK: ",),
        gives=("rank", "world"),
        samples={"Initializing distributed: GLOBAL_RANK: 1, MEMBER: 2/4": ("1", "4")},
    ),
)
"""Which process is which rank, and how many there are."""

SUMMARY = (
    Shape(
        id="rank",
        pattern="^ {0,9}rank : ([0-9]{1,6}) \\(local_rank: ([0-9]{1,6})\\)",
        needs=("rank : ",),
        gives=("rank", "local"),
        samples={" rank : 2 (local_rank: 0)": ("2", "0")},
    ),
    Shape(
        id="exitcode",
        pattern="^ {0,9}exitcode : (-?[0-9]{1,5}) \\(pid: ([0-9]{1,10})\\)",
        needs=("exitcode : ",),
        gives=("code", "pid"),
        samples={" exitcode : -15 (pid: 26532) (SIGTERM)": ("-15", "26532")},
    ),
    Shape(
        id="host",
        pattern="^ {0,9}host : ([A-Za-z0-9_.-]{1,100})",
        needs=("host : ",),
        gives=("host",),
        samples={" host : localhost": ("localhost",)},
    ),
    Shape(
        id="time",
        pattern="^ {0,9}time : ([0-9]{4}-[0-9]{2}-[0-9]{2}_[0-9:]{8})",
        needs=("time : ",),
        gives=("time",),
        samples={" time : 2026-11-30_19:33:35": ("2026-11-30_19:33:35",)},
    ),
)
"""The fields of torchrun's table of failed processes; each process's part begins with `[n]:`."""

RESTARTS = (
    Shape(
        id="worker-group",
        pattern="(?:Restarting worker group|attempts left; will restart worker group)",
        needs=("estart",),
        samples={"[default] Worker group FAILED. 1/1 attempts left; will restart worker group": ()},
    ),
    Shape(
        id="requeue",
        pattern="JOB [0-9_.]{1,30} ON [A-Za-z0-9_.-]{1,100} CANCELLED AT [0-9T:-]{19} DUE TO JOB REQUEUE",
        needs=("DUE TO JOB REQUEUE",),
        samples={"*** JOB 21 ON n1 CANCELLED AT 2026-11-30T19:52:52 DUE TO JOB REQUEUE ***": ()},
    ),
)
"""The launcher starts the job again."""

MARKS = (
    "Traceback (most recent call last)",
    "failed (exitcode: ",
    "Root Cause (first observed failure)",
    "Exited with exit code",
    "exited on signal",
    "exits with return code",
    "terminated with",
    "Fatal Python error",
    "closing signal SIG",
    "The first process to do so was",
    "Unable to shutdown process",
    "RayTaskError",
)
"""Texts whose lines are read, with those around them, though no signature is about them."""
