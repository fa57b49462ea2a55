"""The server for coding agents, over standard input and output, as the SDK's own client sees it; and the skill file."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anyio
import yaml
from mcp import ClientSession, StdioServerParameters, stdio_client

from tests.site import ROOT, TOOLS

LINE = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 80 GiB"
LOG = f"token=hf_abcdefghijklmnopqrstuvwxyz1234\nTraceback (most recent call last):\n{LINE}\n"
SKILL = (ROOT / "skills/ml-failure-encyclopedia/SKILL.md").read_text(encoding="utf-8")


def ask(work: Callable[[ClientSession], Awaitable[Any]]) -> Any:
    """Start the server as an agent does and let the client work with it."""

    async def run() -> Any:
        command, place = str(TOOLS / "encyclopedia"), str(ROOT)
        given = StdioServerParameters(command=command, args=["mcp"], cwd=place, env={"PYTHONPATH": place})
        async with stdio_client(given) as (reading, writing), ClientSession(reading, writing) as session:
            await session.initialize()
            return await work(session)

    with ThreadPoolExecutor(1) as apart:  # a browser test may have left a loop running in this thread
        return apart.submit(anyio.run, run).result()


def text_of(result: Any) -> str:
    return "".join(part.text for part in result.content)


def test_the_tools_answer() -> None:
    async def work(session: ClientSession) -> list[Any]:
        tools = await session.list_tools()
        return [
            sorted(tool.name for tool in tools.tools),
            await session.call_tool("diagnose_log", {"log": LOG}),
            await session.call_tool("read_entry", {"name": "mlfe-6612-1"}),
            await session.call_tool("search_entries", {"text": "gpu fell off the bus"}),
            await session.call_tool("read_entry", {"name": "no such thing"}),
            await session.call_tool("read_entry", {"name": "MLFE-0000"}),
            await session.call_tool("diagnose_log", {"log": "\0\ufffd" * 1000}),
            await session.call_tool("diagnose_log", {}),
            await session.call_tool("search_entries", {"text": "x" * 100_000}),
        ]

    names, found, entry, near, lost, wrong, binary, without, long = ask(work)
    assert names == ["diagnose_log", "read_entry", "search_entries"]
    answer = json.loads(text_of(found))
    assert [one["id"] for one in answer["what"]["entries"]] == ["MLFE-6612"]
    assert "hf_abc" not in text_of(found)
    assert text_of(entry).startswith("---\ntitle: ")
    assert "MLFE-6612" in text_of(entry)
    assert "MLFE-8743" in text_of(near)
    assert (lost.is_error, "search_entries" in text_of(lost)) == (True, True)
    assert (wrong.is_error, "no entry has the id MLFE-0000" in text_of(wrong)) == (True, True)
    assert json.loads(text_of(binary))["outcome"] == "not_a_job_log"
    assert without.is_error
    assert not long.is_error


def test_without_the_extra_it_is_one_line() -> None:
    program = "import sys; sys.modules['mcp'] = None; import importlib.util as u; u.find_spec = lambda name: None\n"
    command = [
        sys.executable,
        "-c",
        f"{program}from generator.cli import main; sys.argv = ['encyclopedia', 'mcp']; main()",
    ]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    said = "Error: this needs the extra 'mcp': pip install 'failure-encyclopedia[mcp]'.\n"
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", said)


def test_the_skill_says_when_it_is_for() -> None:
    head = yaml.safe_load(SKILL.split("---\n")[1])
    assert set(head) == {"name", "description"}
    assert re.fullmatch("[a-z0-9-]{1,64}", head["name"])
    assert len(head["description"]) <= 1024


def test_what_the_skill_runs_runs(tmp_path: Any) -> None:
    (tmp_path / "job.log").write_text(LOG, encoding="utf-8")
    commands = re.findall(r"```sh\n\s*(.*?)\n\s*```", SKILL, re.DOTALL)
    assert len(commands) == 2
    codes = []
    for command in commands:
        name, *words = shlex.split(command)
        ran = subprocess.run([str(TOOLS / name), *words], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert ran.stdout
        codes.append(ran.returncode)
    assert codes == [1, 0]
