"""What to ask for when a log cannot say it: one question and one command for each state of knowledge.

`{rank}`, `{pid}`, `{host}` and `{ranks}` are filled in from the log. A part of a question in brackets is left out where
a blank in it stays empty; in a command such a blank becomes its name in capitals.
"""

from __future__ import annotations

ASKS = {
    "killed": (
        "Who killed the process[ of rank {rank}][ with pid {pid}][ on host {host}]: the kernel, a container's limit or"
        " a person?",
        "dmesg -T | grep -E 'Killed process|oom-kill'",
    ),
    "silent": (
        "What is rank {rank}[ with pid {pid}][ on host {host}] doing? Its stack while the others wait.",
        "py-spy dump --pid {pid}",
    ),
    "quiet": (
        "Rank {rank} alone reports no time-out: what did it print last, and what is it doing[ as process {pid}]? Its"
        " stack while the others wait.",
        "py-spy dump --pid {pid}",
    ),
    "other-ranks": (
        "What did the other ranks print?[ This log holds the output of {ranks} only.]",
        "torchrun --log-dir logs --redirects 3 --tee 3 train.py",
    ),
    "no-traceback": (
        "Which exception ended the process[ of rank {rank}]? The launcher's table does not hold it.",
        "torchrun --log-dir logs --redirects 3 --tee 3 train.py",
    ),
    "cancelled": (
        "Who ended the job, and why: its record at the scheduler.",
        "sacct -j JOBID -X --format=JobID,State,ExitCode,Reason,Comment",
    ),
    "folded": (
        "The lines of every worker: Ray has folded equal lines of different workers into one.",
        "RAY_DEDUP_LOGS=0 python train.py",
    ),
}
"""State to question and command."""
