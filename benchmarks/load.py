"""Loading and validating entries, positions included, against `yaml.safe_load` and one reused jsonschema validator.

Both sides read the same synthetic entries in one process, turn about; the figures are ratios of process CPU time.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import yaml
from jsonschema import Draft202012Validator

from benchmarks.synthesize import synthesize
from generator.load import load
from generator.validate import Engine, load_schema, validate

ROOT = Path(__file__).resolve().parent.parent
SCHEMA = ROOT / "schema/entry.schema.json"
COUNT = 48
ROUNDS = 3


def main() -> None:
    """Print the ratios."""
    with tempfile.TemporaryDirectory() as folder:
        synthesize(ROOT / "entries", Path(folder), COUNT)
        texts = [path.read_bytes() for path in sorted(Path(folder).glob("entries/*/*.yaml"))]
    reference = Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    ways: dict[str, Callable[[bytes], object]] = {
        "yaml.safe_load + jsonschema": lambda text: list(reference.iter_errors(yaml.safe_load(text))),
    }
    engines: tuple[Engine, ...] = ("jsonschema", "jsonschema-rs")
    for engine in engines:
        schema = load_schema(SCHEMA, engine)
        ways[f"ours, {engine}"] = lambda text, schema=schema: validate(load(text, "entry.yaml").data, schema)  # type: ignore[misc]
    spent = dict.fromkeys(ways, 0.0)
    for _ in range(ROUNDS):
        for name, way in ways.items():
            start = time.process_time()
            for text in texts:
                assert not way(text), f"{name}: a synthetic entry is not valid"
            spent[name] += time.process_time() - start
    size = sum(map(len, texts)) / len(texts) / 1024
    base = spent["yaml.safe_load + jsonschema"]
    print(f"load and validate, {len(texts)} entries of {size:.0f} KiB on average, {ROUNDS} rounds")
    for name, seconds in spent.items():
        print(f"  {name:<30} {1000 * seconds / ROUNDS / len(texts):7.2f} ms an entry   {seconds / base:.3f}")
    print("  target: 0.30 with jsonschema, 0.10 with jsonschema-rs")


if __name__ == "__main__":
    main()
