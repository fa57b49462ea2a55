"""When a line was written, and what says that work was done or came to its end."""

from __future__ import annotations

from generator.shapes.shape import Shape

_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"

TIMES = (
    Shape(
        id="full",
        pattern="[0-9]{4}-([0-9]{2})-([0-9]{2})[ T_]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]{1,9}))?",
        gives=("month", "day", "hour", "minute", "second", "fraction"),
        samples={
            "2026-11-30 19:20:17,694 - INFO": ("11", "30", "19", "20", "17", "694"),
            "2026-11-30_19:33:38": ("11", "30", "19", "33", "38", ""),
        },
    ),
    Shape(
        id="glog",
        pattern="(?:^|[ \\[:])[EWIFC]([0-9]{1,2})([0-9]{2}) ([0-9]{2}):([0-9]{2}):([0-9]{2})\\.([0-9]{1,9})",
        gives=("month", "day", "hour", "minute", "second", "fraction"),
        samples={
            "[E321 02:07:08.408271257 ": ("3", "21", "02", "07", "08", "408271257"),
            "W1130 19:20:30.575000 2": ("11", "30", "19", "20", "30", "575000"),
        },
    ),
    Shape(
        id="ctime",
        pattern=f"[A-Z][a-z]{{2}} ({_MONTHS}) ([0-9]{{1,2}}) ([0-9]{{2}}):([0-9]{{2}}):([0-9]{{2}}) [0-9]{{4}}",
        gives=("month", "day", "hour", "minute", "second"),
        samples={"Mon Nov 30 19:58:56 2026[1,0]": ("Nov", "30", "19", "58", "56")},
    ),
    Shape(
        id="short",
        pattern="(?:^|[ \\[])([0-9]{2})-([0-9]{2}) ([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[ .\\]]|$)",
        gives=("month", "day", "hour", "minute", "second"),
        samples={"ERROR 12-04 11:46:32 [core.py:843]": ("12", "04", "11", "46", "32")},
    ),
)
"""Read at the front of a line. The year is left out: all that is compared lies in one job."""

PROGRESS = (
    Shape(
        id="step-of",
        pattern="(?:^|[^A-Za-z0-9_])[Ss]tep:? ?\\[?([0-9]{1,12}) ?(?:/|of) ?([0-9]{1,12})(?:[^A-Za-z0-9_]|$)",
        needs=("tep",),
        gives=("step", "total"),
        samples={"train - step 2/6 | loss 0.5443": ("2", "6"), "Step [10/200], Loss": ("10", "200")},
    ),
    Shape(
        id="step",
        pattern="(?:^|[^A-Za-z0-9_])(?:global_)?(?:[Ss]tep|iter|iteration)(?: |: ?|=)([0-9]{1,12})(?:[^A-Za-z0-9_]|$)",
        needs=("tep", "iter"),
        gives=("step",),
        samples={"iter 40: loss 2.1": ("40",), "global_step=12, loss": ("12",)},
    ),
    Shape(
        id="megatron",
        pattern="(?:^|[^A-Za-z0-9_])iteration ([0-9]{1,12})/ ?([0-9]{1,12}) \\|",
        needs=("iteration ",),
        gives=("step", "total"),
        samples={" iteration 12/ 100 | consumed samples: 96 |": ("12", "100")},
    ),
    Shape(
        id="epoch",
        pattern="(?:^|[^A-Za-z0-9_])[Ee]poch:? ?\\[?([0-9]{1,9})(?:(?:/| of )([0-9]{1,9}))?(?:[^A-Za-z0-9_]|$)",
        needs=("poch",),
        gives=("step", "total"),
        samples={"Epoch 3/10": ("3", "10"), "epoch: 2, loss": ("2", "")},
    ),
    Shape(
        id="bar",
        pattern="[ |]([0-9]{1,12})/([0-9]{1,12}) \\[[0-9]{1,3}:[0-9]{2}",
        needs=(" [",),
        gives=("step", "total"),
        samples={"epoch 0: 2%| | 1/40 [00:01<00:39, 9.8it/s]": ("1", "40")},
    ),
)
"""Markers of work that was done, whose number rises."""

FINISHES = (
    Shape(
        id="finished",
        pattern=(
            "(?:^|[^A-Za-z0-9_])(?:[Tt]raining|[Ff]ine-?tuning|[Ee]valuation|[Jj]ob|[Rr]un) (?:is )?"
            "(?:finished|completed?|done|succeeded)(?:[^A-Za-z0-9_]|$)"
        ),
        needs=("finished", "complete", "done", "succeeded"),
        samples={"training finished: 0 failed steps": (), "Training completed. Do not forget to share": ()},
        misses=("training not finished",),
    ),
    Shape(
        id="train-runtime",
        pattern="'train_runtime': ",
        needs=("'train_runtime': ",),
        samples={"{'train_runtime': 12.1, 'train_samples_per_second': 8.2}": ()},
    ),
    Shape(
        id="fit-stopped",
        pattern="`Trainer\\.fit` stopped: `max_(?:epochs|steps)=",
        needs=("`Trainer.fit` stopped: ",),
        samples={"`Trainer.fit` stopped: `max_epochs=2` reached.": ()},
    ),
)
"""Lines that only a run that came to its end prints."""
