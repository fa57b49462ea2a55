"""Real samples of the entries -> a job's log of any size, streamed: 64 ranks, seeded, no block of it repeated.

One line in 2,000 is an entry's sample; one in twenty has a shape not seen before, also with its digits masked. Lines
are of about 160 bytes. The hostile inputs are what a scanner that is not linear would choke on.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from benchmarks.synthesize import invented_word

RANKS = 64
LINES_PER_BLOCK = 4_000
ERROR_EVERY = 2_000
FRESH_EVERY = 20

# "#" is a number, "@" the rank.
SHAPES = (
    "[rank@]: step ####/##### | epoch # | loss #.#### | lr #.##e-# | grad_norm #.### | tokens/s ######.# "
    "| mem ##.# GiB reserved ##.# GiB | mfu ##.#% | eta #:##:##",
    "[default#]:[rank@]:####-##-## ##:##:##,### INFO trainer.loop step=#### loss=#.###### "
    "grad_norm=#.#### lr=#.####e-## samples/sec=###.## data_time=#.#### fwd=#.### bwd=#.###",
    "@: ####-##-## ##:##:##,### - INFO - train.engine - Iteration ####/###### | elapsed time per "
    "iteration (ms): ####.# | learning rate: #.###E-## | global batch size: #### | lm loss: #.######E+## |",
    "worker-#: [####-##-## ##:##:##,###] [INFO] [logging.py:###:log_dist] [Rank @] step=####, skipped=#, "
    "lr=[#.#####e-##], mom=[(#.#, #.##)], time (ms) | optimizer_step: ##.##",
    "node-#:#####:##### [#] NCCL INFO Channel ##/# : @[#] -> ##[#] via P2P/CUMEM/read comm 0x######## "
    "nranks ## busId ##### localSize # connected rings, use ring PXN # GDR #",
    "node-#:#####:##### [#] NCCL INFO comm 0x#### rank @ nranks ## cudaDev # nvmlDev # busId ##### "
    "commId 0x##### - Init COMPLETE in #.## seconds, ## coll channels, ## p2p channels",
    "(EngineCore_DP# pid=#####) INFO ##-## ##:##:## [loggers.py:###] Engine ###: Avg prompt throughput: "
    "###.# tokens/s, Avg generation throughput: ###.# tokens/s, Running: ## reqs, Waiting: # reqs",
    "[rank@]:I#### ##:##:##.###### ##### torch/_dynamo/convert_frame.py:####] [#/#] torchdynamo start "
    "compiling forward /srv/models/block_##/attention.py:###, stack (elided # frames):",
    "[####-##-## ##:##:##,###] [INFO] [stage_#_and_#.py:####:step] [Rank @] overflow check passed, "
    "current loss scale: #####, reducing to ##### after # consecutive hysteresis steps, group #",
    "@: ####-##-##T##:##:##.###Z INFO dataloader shard ###/### of epoch # opened: "
    "gs-bucket/train/part-#####-of-#####.tar, ##### samples, prefetch queue depth ##, wait #.## ms per batch",
    "[rank@]:[W###  ##:##:##.######### ProcessGroupNCCL.cpp:####] Warning: using GPU # to perform "
    "barrier as devices used by this process are currently unknown. (function operator())",
    "[rank@]: validation epoch # batch ###/### | top1 ##.## | top5 ##.## | nll #.#### | ema nll #.#### | "
    "perplexity ###.### | throughput #####.# tok/s | seq_len #### | bs ### x ##",
    "  rank @ memory summary: allocated ##.## GiB, reserved ##.## GiB, peak ##.## GiB, active ##### "
    "blocks, inactive split ###.## MiB, retries #, largest free ##.## MiB, segments ####",
    "[rank@]: checkpoint shard ##/## written to "
    "/mnt/ckpt/run-####/global_step####/mp_rank_##_model_states.pt in ##.### s (####.## MB/s, crc "
    "#########), keeping the last # of ##",
    "(RayTrainWorker pid=#####, ip=##.##.##.###) [rank @] Reporting metrics: {'loss': #.####, "
    "'grad_norm': #.####, 'learning_rate': #.#####e-##, 'epoch': #.##, 'step': #####}",
    "####-##-## ##:##:## | WARNING | rank @ | dataset: sample ######## skipped, ### tokens is over the "
    "limit of ####; ## skipped so far in this epoch (#.##%), shard ###, offset ########",
    "node-#:#####:##### [#] NCCL INFO Trees [#] ##/##/##->@->## [#] ##/##/##->@->## [#] -#/-#/-#->@->## "
    "[#] ##/-#/-#->@->## comm 0x###### P2P Chunksize set to ###### threads ###",
    "[rank@]: profiler: forward ##.### ms | backward ###.### ms | allreduce ##.### ms (exposed #.### ms) "
    "| optimizer #.### ms | dataloader #.### ms | h2d #.### ms | host gap #.### ms",
)  # fmt: skip
_HOLE = re.compile("#+|@")


def synthesize(size: int, samples: Sequence[str], seed: int = 1, fresh_every: int = FRESH_EVERY) -> Iterator[bytes]:
    """Yield about `size` bytes of log in blocks of whole lines."""
    source = random.Random(seed)
    formats = [(_HOLE.sub("%s", shape.replace("%", "%%")), _HOLE.findall(shape)) for shape in SHAPES]
    numbers = {"@": [str(rank) for rank in range(RANKS)]}
    numbers |= {"#" * n: [f"{source.randrange(10**n):0{n}}" for _ in range(1_000)] for n in range(1, 13)}
    made = line = 0
    while made < size:
        lines = []
        for text, holes in source.choices(formats, k=LINES_PER_BLOCK):
            line += 1
            if line % ERROR_EVERY == 0:
                lines.append(f"[rank{source.randrange(RANKS)}]: {source.choice(samples)}")
            shown = text % tuple([numbers[hole][int(source.random() * len(numbers[hole]))] for hole in holes])
            lines.append(_unseen(shown, source) if line % fresh_every == 0 else shown)
        block = ("\n".join(lines) + "\n").encode()
        made += len(block)
        yield block


def _unseen(text: str, source: random.Random) -> str:
    """Put three invented words among the words of a line, and a hash behind."""
    words = text.split(" ")
    for _ in range(3):
        words.insert(source.randrange(len(words)), invented_word(source))
    return f"{' '.join(words)[:150]} {source.getrandbits(64):016x}"


def _lines(text: bytes) -> Callable[[int], Iterator[bytes]]:
    """Repeat a text, in blocks of about a megabyte."""

    def stream(size: int) -> Iterator[bytes]:
        block = text * (2**20 // len(text))
        yield from (block for _ in range(size // len(block)))

    return stream


def _noise(size: int) -> Iterator[bytes]:
    source = random.Random(7)
    yield from (source.randbytes(2**20) for _ in range(size // 2**20))


def _one_line(size: int) -> Iterator[bytes]:
    yield from _lines(b"CUDA out of memory. ")(size)
    yield b"\n"


TRACEBACK = b"".join(
    b"  " * depth + b'File "train.py", line %d, in f\n' % depth + b"During handling of the above exception\n"
    for depth in range(40)
)
HOSTILE: Mapping[str, Callable[[int], Iterator[bytes]]] = {
    "one character": _lines(b"a"),
    "a rare character": _lines(b"K"),
    "one line of half a literal": _one_line,
    "empty lines": _lines(b"\n"),
    "short lines": _lines(b"ok\nOK 7\n"),
    "carriage returns": _lines(b"10%|#         | 1/10\r"),
    "nested tracebacks": _lines(b"Traceback (most recent call last):\n" + TRACEBACK),
    "every line an error": _lines(b"RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB\n"),
    "every line nearly an error": _lines(b"RuntimeError: CUDA out of memory.Tried to allo cate 2.00 GiB\n"),
    "errors cut by colours": _lines(b"CUDA out\x1b[31m of\x1b[0m memory. Tried to allocate 2.00 GiB, [1;36mx\n"),
    "escapes without end": _lines(b"\x1b]\x1b[1;1;1;1;1;1 [1;1;1;1;1\n"),
    "NUL": _lines(b"\0"),
    "noise": _noise,
    "UTF-16": lambda size: iter((b"\xff\xfe", *_lines("Loss is nan, stopping\n".encode("utf-16-le"))(size))),
    "lone surrogates": lambda size: iter((b"\xff\xfe", *_lines(b"\x00\xd8\x0a\x00\xd8")(size))),
}
"""Name -> a stream of about so many bytes."""
