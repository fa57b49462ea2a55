"""The page that diagnoses a log, as a reader meets it: every way in, the answer, what is taken away; nothing leaves."""

from __future__ import annotations

import gzip
import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, FilePayload, Page, Request, expect

from generator.index_pages.diagnose import CHECKS, COMMAND
from generator.settings import new_issue_form, read_settings
from tests.browser.walk import go_dark, run_axe, show_all, sticks_out
from tests.site import ROOT

pytestmark = pytest.mark.browser

EXAMPLES = ROOT / "overrides/assets/diagnosis/examples"
KILLED = (EXAMPLES / "worker-killed.log").read_bytes()
NODES = tuple((EXAMPLES / f"two-nodes.node{n}.log").read_bytes() for n in (0, 1))
SLUG = "data-pipeline/dataloader-worker-killed"


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context(
        viewport={"width": 1280, "height": 900}, permissions=["clipboard-read", "clipboard-write"]
    )
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext, site_url: str) -> Page:
    page = context.new_page()
    page.goto(f"{site_url}diagnose/")
    return page


def paste(page: Page, text: str) -> None:
    """Paste into the field that has the focus, as a mouse does."""
    page.evaluate(
        """(text) => {
            const field = document.activeElement;
            const data = new DataTransfer();
            data.setData("text/plain", text);
            const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
            if (field.dispatchEvent(event)) field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
            field.dispatchEvent(new Event("input", { bubbles: true }));
        }""",
        text,
    )


def give(page: Page, *files: tuple[str, bytes]) -> None:
    chosen = [FilePayload(name=name, mimeType="application/octet-stream", buffer=content) for name, content in files]
    page.locator("[data-log=picker]").set_input_files(chosen)


def answered(page: Page) -> Any:
    """Wait for the answer and return its place."""
    result = page.locator("[data-log=result]")
    expect(result.locator(".enc-verdict, .enc-refusal")).to_be_visible(timeout=20_000)
    return result


def come_to_rest(page: Page) -> None:
    """Wait until nothing fades in any more: colours are judged by what is shown at that moment."""
    page.evaluate("Promise.allSettled(document.getAnimations().map((animation) => animation.finished)).then(() => {})")


def zipped(**files: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for place, (name, content) in enumerate(files.items()):
            method = zipfile.ZIP_STORED if place % 2 else zipfile.ZIP_DEFLATED
            archive.writestr(f"logs/{name}.log", content, compress_type=method)
        archive.writestr("logs/", b"")
    return made.getvalue()


def patched(archive: bytes, place: int, value: int, entries: int = 1) -> bytes:
    """Set two bytes of each entry in an archive's directory: 8 its flags, 10 its method."""
    made = bytearray(archive)
    at = 0
    for _ in range(entries):
        at = made.index(b"PK\1\2", at)
        made[at + place : at + place + 2] = value.to_bytes(2, "little")
        at += 4
    return bytes(made)


def damaged(packed: bytes) -> bytes:
    """Turn one bit of the checksum."""
    return packed[:-8] + bytes([packed[-8] ^ 1]) + packed[-7:]


def test_a_pasted_log_is_read_at_once_and_the_verdict_comes_first(page: Page) -> None:
    expect(page.locator("#log")).to_be_focused()
    paste(page, KILLED.decode())
    result = answered(page)
    assert result.evaluate("r => r.firstElementChild.className").startswith("enc-verdict ")
    expect(result.locator(".enc-part--who")).to_contain_text("Rank 1")
    link = result.locator(".enc-part--what a").first
    assert (link.get_attribute("href") or "").endswith(f"/{SLUG}/")
    assert result.locator(".enc-part .enc-sure").count() == 3
    expect(result.locator(".enc-verdict__outcome")).to_be_focused()
    expect(page.locator("[data-log=status]")).to_contain_text("A DataLoader worker process dies")


def test_evidence_stands_in_its_surroundings_with_the_numbers_of_the_log(page: Page) -> None:
    paste(page, "\r\n".join(["start", *KILLED.decode().split("\n")]))
    line = answered(page).locator(".enc-log__evidence").first
    number = next(n for n, text in enumerate(KILLED.decode().split("\n"), 2) if "DataLoader worker (pid" in text)
    assert line.evaluate("l => l.value") == number
    assert line.evaluate("l => l.parentElement.children.length") > 3


def test_control_enter_runs_and_n_and_p_lead_through_the_evidence_and_escape_clears(page: Page) -> None:
    page.locator("#log").fill(KILLED.decode())
    page.keyboard.press("Control+Enter")
    marks = answered(page).locator(".enc-log__evidence")
    assert marks.count() > 1
    page.keyboard.press("n")
    expect(marks.first).to_be_focused()
    page.keyboard.press("n")
    expect(marks.nth(1)).to_be_focused()
    page.keyboard.press("p")
    expect(marks.first).to_be_focused()
    expect(page.locator("[data-log=status]")).to_contain_text("Evidence 1 of")
    assert page.url.endswith("/diagnose/")
    page.keyboard.press("Escape")
    expect(page.locator("[data-log=result]")).to_be_hidden()
    expect(page.locator("#log")).to_have_value("")
    expect(page.locator("#log")).to_be_focused()


def test_files_dropped_anywhere_are_one_job(page: Page) -> None:
    page.evaluate(
        """(texts) => {
            const data = new DataTransfer();
            texts.forEach((text, i) => data.items.add(new File([text], `node${i}.log`)));
            for (const kind of ["dragenter", "dragover", "drop"]) {
                document.querySelector(".md-footer").dispatchEvent(
                    new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
            }
        }""",
        [text.decode() for text in NODES],
    )
    result = answered(page)
    expect(result.locator(".enc-part--who")).to_contain_text("Rank 2")
    expect(result.locator(".enc-part--who")).to_contain_text("node1.log")
    expect(page.locator("[data-log=chosen] li")).to_have_count(2)
    expect(page.locator("[data-log=drop]")).to_be_hidden()


@pytest.mark.parametrize(
    "files",
    [
        (("node0.log", NODES[0]), ("node1.log", NODES[1])),
        (("node0.log.gz", gzip.compress(NODES[0])), ("node1.log.gz", gzip.compress(NODES[1]))),
        (("logs.zip", zipped(node0=NODES[0], node1=NODES[1])),),
        (("logs.zip", zipped(node0=gzip.compress(NODES[0]), node1=gzip.compress(NODES[1]))),),
    ],
    ids=["plain", "gz", "zip", "gz-in-zip"],
)
def test_several_files_however_packed_give_the_same_verdict(page: Page, files: tuple[tuple[str, bytes], ...]) -> None:
    give(page, *files)
    who = answered(page).locator(".enc-part--who")
    expect(who).to_contain_text("Rank 2")
    expect(who).to_contain_text(re.compile(r"node1\.log(\.gz)? line 10"))


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("bad.gz", damaged(gzip.compress(KILLED)), "bad.gz cannot be unpacked: its gzip data is damaged."),
        ("a.zip", zipped(a=KILLED)[:-30], "a.zip is damaged"),
        ("a.zst", b"\x28\xb5\x2f\xfd" + bytes(20), "a.zst is packed with zstd"),
        ("locked.zip", patched(zipped(a=KILLED), 8, 1), "logs/a.log is encrypted: unpack locked.zip first."),
        ("new.zip", patched(zipped(a=KILLED), 10, 14), "logs/a.log is packed with lzma, which browsers do not read"),
        (
            "odd.zip",
            patched(zipped(a=KILLED), 10, 77),
            "logs/a.log is packed with method 77, which browsers do not read",
        ),
        (
            "two.zip",
            patched(zipped(a=KILLED, b=KILLED), 8, 1, 2),
            "None of these 2 files can be read; the first, logs/a.log,",
        ),
        ("none.zip", zipped(), "No file"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_sentence(page: Page, name: str, content: bytes, said: str) -> None:
    give(page, (name, content))
    expect(answered(page).locator(".enc-refusal")).to_contain_text(said)


def test_a_log_of_several_gzip_members_and_a_cut_one_are_read(page: Page) -> None:
    at = KILLED.index(b"DataLoader worker (pid")
    give(page, ("job.log.gz", gzip.compress(KILLED[:at]) + gzip.compress(KILLED[at:])))
    expect(answered(page).locator(".enc-part--what a").first).to_have_text("A DataLoader worker process dies")
    give(page, ("cut.log.gz", gzip.compress(KILLED + b"more\n" * 900)[:-20]))
    expect(page.locator("[data-log=chosen]")).to_contain_text("cut.log.gz")
    expect(answered(page).locator(".enc-part--what a").first).to_have_text("A DataLoader worker process dies")
    expect(page.locator(".enc-gaps li").first).to_have_text(
        "cut.log.gz: the gzip data ends early; what was there was read."
    )
    give(page, ("plain.gz", KILLED))
    expect(page.locator("[data-log=chosen]")).to_contain_text("plain.gz")
    expect(answered(page).locator(".enc-part--what a").first).to_have_text("A DataLoader worker process dies")


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"", "the file is empty."), (bytes(range(128, 256)) * 300, "the file is binary, no text.")],
)
def test_what_is_no_log_is_called_by_its_name(page: Page, content: bytes, said: str) -> None:
    give(page, ("a.log", content))
    expect(answered(page).locator(".enc-verdict")).to_contain_text(f"a.log: {said}")
    expect(page.locator(".enc-gaps")).to_have_count(0)


def folder_of_a_job(root: Path) -> Path:
    """Make a folder with more files than a browser lists at a time, logs of two nodes deeper in it, and an image."""
    folder = root / "run"
    (folder / "nodes" / "n1").mkdir(parents=True)
    for number in range(250):
        (folder / f"other{number:03}.log").write_text("step 1 loss 0.5\n")
    (folder / "nodes" / "node0.log").write_bytes(NODES[0])
    (folder / "nodes" / "n1" / "node1.log.gz").write_bytes(gzip.compress(NODES[1]))
    (folder / "nodes" / "plot.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(40))
    return folder


def drop_from_the_disk(page: Page, *paths: Path) -> None:
    """Drop files and folders as a file manager does."""
    session = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    for kind in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": kind, "x": 300, "y": 300, "data": data})


def assert_the_folder_is_one_job(page: Page) -> None:
    result = answered(page)
    expect(result.locator(".enc-part--who")).to_contain_text("Rank 2")
    expect(result.locator(".enc-part--who")).to_contain_text("run/nodes/n1/node1.log.gz line 10")
    expect(result.locator(".enc-passed li")).to_have_text(["run/nodes/plot.png holds no text"])
    expect(page.locator("[data-log=status]")).to_contain_text("1 file was passed over.")
    listed = page.locator("[data-log=chosen] li").all_text_contents()
    assert [text.split(",")[0] for text in listed[:4]] == [
        "run/nodes/n1/node1.log.gz",
        "run/nodes/node0.log",
        "run/nodes/plot.png",
        "run/other000.log",
    ]
    assert listed[-1] == "233 more"


def test_a_dropped_folder_is_one_job(page: Page, tmp_path: Path) -> None:
    drop_from_the_disk(page, folder_of_a_job(tmp_path))
    assert_the_folder_is_one_job(page)


def test_a_picked_folder_is_one_job(page: Page, tmp_path: Path) -> None:
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a folder").click()
    chooser.value.set_files(folder_of_a_job(tmp_path))
    assert_the_folder_is_one_job(page)


def test_a_folder_is_read_on_a_page_from_the_disk_too(context: BrowserContext, site: Path, tmp_path: Path) -> None:
    page = context.new_page()
    page.goto((site / "diagnose/index.html").as_uri())
    folder = folder_of_a_job(tmp_path)
    page.locator("[data-log=folder]").set_input_files(folder)
    assert_the_folder_is_one_job(page)
    drop_from_the_disk(page, folder / "nodes" / "node0.log")
    expect(page.locator("[data-log=chosen] li")).to_have_count(1)
    expect(answered(page).locator(".enc-verdict")).to_be_visible()
    drop_from_the_disk(page, folder)
    expect(page.locator("[data-log=chosen] li").last).to_have_text("233 more")
    assert_the_folder_is_one_job(page)
    page.evaluate("delete DataTransferItem.prototype.getAsFileSystemHandle")
    drop_from_the_disk(page, folder)
    expect(page.locator(".enc-refusal")).to_have_text(
        'This browser does not read a dropped folder on this page. Press "Choose a folder" instead.'
    )


def test_a_small_archive_cannot_unpack_without_end(page: Page, site_url: str) -> None:
    bomb = gzip.compress(bytes(3_000_000))
    said = page.evaluate(
        """async ([bytes, most]) => {
            const { openInputs } = await import("/assets/diagnosis/inputs.mjs");
            const chosen = [{ name: "bomb.gz", blob: new Blob([new Uint8Array(bytes)]) }];
            let read = 0;
            try {
                for (const log of (await openInputs(chosen, most, () => {})).logs) {
                    for await (const chunk of log.chunks()) read += chunk.length;
                }
                return "";
            } catch (error) {
                return read <= most ? error.message : "too late";
            }
        }""",
        [list(bomb), 1_000_000],
    )
    assert said.startswith("There are more than 1000000 bytes to read once unpacked.")


def test_a_run_can_be_cancelled_and_shows_how_far_it_is(page: Page) -> None:
    page.evaluate(
        """() => {
            const line = "step 1 loss 0.5 " + "x".repeat(84) + "\\n";
            const block = line.repeat(100_000);
            const data = new DataTransfer();
            data.items.add(new File(Array(40).fill(block), "long.log"));
            const event = new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
            window.shares = [];
            const bar = document.querySelector("[data-log=bar]");
            new MutationObserver(() => shares.push(bar.value)).observe(bar, { attributes: true });
            document.body.dispatchEvent(event);
        }"""
    )
    cancel = page.locator("[data-log=cancel]")
    expect(cancel).to_be_visible()
    expect(page.locator(".enc-running__share")).not_to_have_text("0 %", timeout=20_000)
    page.locator("#log").press_sequentially("typing goes on")
    expect(page.locator("#log")).to_have_value("typing goes on")
    cancel.click()
    expect(page.locator("[data-log=running]")).to_be_hidden()
    expect(page.locator("[data-log=status]")).to_have_text("Cancelled. Nothing was kept.")
    assert page.evaluate("shares.every((share, i) => i === 0 || share >= shares[i - 1])")


def test_nothing_is_asked_of_any_server_while_diagnosing_and_nothing_is_kept(page: Page) -> None:
    page.wait_for_load_state("networkidle")
    asked: list[str] = []

    def note(request: Request) -> None:
        if not request.url.startswith("blob:"):
            asked.append(request.url)

    page.on("request", note)
    paste(page, KILLED.decode())
    answered(page)
    give(page, ("node0.log", NODES[0]), ("node1.log", NODES[1]))
    expect(page.locator(".enc-part--who")).to_contain_text("Rank 2")
    page.locator("[data-example]").first.click()
    expect(page.locator("[data-log=chosen] li")).to_have_count(1)
    answered(page)
    page.get_by_label("Add the evidence lines").check()
    page.wait_for_timeout(200)
    assert asked == []
    kept = page.evaluate("[...Object.keys(localStorage), ...Object.keys(sessionStorage)]")
    assert [key for key in kept if not key.endswith("__palette")] == []
    assert page.evaluate("document.cookie") == ""
    assert "#" not in page.url


def test_the_policy_lets_pages_with_a_box_start_a_worker_and_no_other_page(page: Page, site_url: str) -> None:
    policy = "document.querySelector('meta[http-equiv=Content-Security-Policy]').content"
    own = page.evaluate(policy)
    page.goto(f"{site_url}about/")
    other = page.evaluate(policy)
    assert "worker-src blob:;" in own
    assert own.replace("worker-src blob:;", "worker-src 'none';") == other
    page.goto(f"{site_url}{SLUG}/")
    assert page.evaluate(policy) == own


def test_a_copy_opened_from_a_disk_diagnoses_too(context: BrowserContext, site: Path) -> None:
    page = context.new_page()
    page.goto((site / "diagnose/index.html").as_uri())
    page.locator("#log").focus()
    paste(page, KILLED.decode())
    link = answered(page).locator(".enc-part--what a").first
    address = link.get_attribute("href") or ""
    assert address == (site / SLUG / "index.html").as_uri()
    assert (site / SLUG / "index.html").is_file()


def test_every_example_names_an_entry_or_what_it_lacks(page: Page) -> None:
    buttons = page.locator("[data-example]")
    assert buttons.count() >= 4
    for place in range(buttons.count()):
        buttons.nth(place).click()
        expect(answered(page).locator(".enc-verdict--failed")).to_have_count(1)


def test_the_text_for_an_issue_holds_nothing_of_the_log(page: Page) -> None:
    secret = "hf_" + "a" * 30
    log = KILLED.decode().replace(
        "is killed by signal: Killed.", f"is killed by signal: Killed. {secret} me@lab.example"
    )
    paste(page, log)
    text = answered(page).locator(".enc-export__field").input_value()
    assert f"/{SLUG}/" in text
    assert "rank 1" in text
    runs = {line[start : start + 24] for line in log.splitlines() for start in range(max(0, len(line) - 23))}
    assert [run for run in runs if run in text] == []
    assert not re.search(r"worker-killed\.log|pasted log|localhost|pid", text)
    page.locator(".enc-export .enc-copy").first.click()
    assert page.evaluate("navigator.clipboard.readText()") == text
    page.get_by_label("Add the evidence lines").check()
    more = page.locator(".enc-export__field").input_value()
    assert more.startswith(text)
    assert "DataLoader worker (pid" in more
    assert secret not in more
    assert "me@lab.example" not in more


def test_a_report_is_a_link_that_holds_ids_ranks_and_lines_alone(page: Page, context: BrowserContext) -> None:
    page.wait_for_load_state("networkidle")
    asked: list[str] = []

    def note(request: Request) -> None:
        if not request.url.startswith("blob:"):
            asked.append(request.url)

    context.on("request", note)
    secret = "hf_" + "a" * 30
    log = KILLED.decode().replace(
        "is killed by signal: Killed.", f"is killed by signal: Killed. {secret} me@lab.example"
    )
    paste(page, log)
    link = answered(page).get_by_role("link", name="Report a wrong match")
    address = link.get_attribute("href") or ""
    form = new_issue_form(read_settings(ROOT / "mkdocs.yml").repo_url)
    assert address.startswith(f"{form}?title=")
    assert "noopener" in (link.get_attribute("rel") or "").split()
    fields = parse_qs(urlsplit(address).query)
    assert re.fullmatch(r"Wrong or incomplete match: MLFE-\d{4}-\d+", fields["title"][0])
    body = fields["body"][0]
    assert "- Who: rank 1, supported, file 1 line" in body
    known = {run for line in log.splitlines() for run in re.findall(r"[A-Za-z_][\w.]{8,}", line)}
    assert [run for run in known if run in body] == []
    page.get_by_label("Add the evidence lines").check()
    more = parse_qs(urlsplit(link.get_attribute("href") or "").query)["body"][0]
    assert more.startswith(body)
    assert "DataLoader worker (pid" in more
    assert secret not in more
    assert "me@lab.example" not in more
    assert asked == []
    context.route(f"{form}**", lambda route: route.fulfill(body="the form"))
    with context.expect_page() as opened:
        link.click()
    opened.value.wait_for_load_state()
    assert opened.value.url.startswith(f"{form}?title=")
    assert opened.value.evaluate("[window.opener, document.referrer]") == [None, ""]


def test_a_report_is_never_longer_than_a_server_takes(page: Page) -> None:
    wide = "\u6f22" * 1500
    paste(page, f"[rank0]: Traceback (most recent call last):\n[rank0]: OddError: {wide}\nexitcode: 1\n")
    link = answered(page).get_by_role("link", name="Report a missing match")
    assert parse_qs(urlsplit(link.get_attribute("href") or "").query)["title"] == ["Missing match"]
    page.get_by_label("Add the evidence lines").check()
    assert "\u6f22" in page.locator(".enc-export__field").input_value()
    address = link.get_attribute("href") or ""
    assert len(address) <= 8000
    assert "An exception that no entry knows" in parse_qs(urlsplit(address).query, errors="strict")["body"][0]


def test_evidence_that_is_too_long_for_a_report_is_left_out_by_whole_lines(page: Page) -> None:
    made = page.evaluate(
        r"""async () => {
            const { reportAddress } = await import("/assets/diagnosis/report.mjs");
            const who = { status: "established", ranks: [1], all_ranks: false, file: "a", line: 7 };
            const what = { status: "supported", entries: [], runner_up: null };
            const rest = { outcome: "failed", secondary: [], collateral: [], unclassified: null, index: { hash: "x" } };
            const lines = Array.from({ length: 400 }, (_, i) => `${i}  \ud83d half ${"z".repeat(40)}`);
            const evidence = "\n```text\n" + lines.join("\n") + "\n```\n";
            const form = "https://code.example/x/issues/new";
            return reportAddress(form, { who, what, ...rest }, () => undefined, evidence);
        }"""
    )
    assert 7800 < len(made) <= 8000
    body = parse_qs(urlsplit(made).query, errors="strict")["body"][0]
    assert body.endswith("z\n```\n\nMore evidence lines did not fit.\n")
    assert "\n```text\n0  \ufffd half z" in body


def test_a_shared_link_holds_ids_and_ranks_alone_and_shows_what_it_names(page: Page, context: BrowserContext) -> None:
    paste(page, KILLED.decode())
    answered(page)
    page.get_by_role("button", name="Copy link").click()
    address = page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(r"http://[^#]+/diagnose/#ids=MLFE-\d{4}-\d+(,MLFE-\d{4}-\d+)*&ranks=1", address)
    other = context.new_page()
    other.goto(address)
    shown = answered(other)
    expect(shown).to_contain_text("A DataLoader worker process dies")
    expect(shown).to_contain_text("Rank 1 started it.")
    other.goto("about:blank")
    other.goto(address.split("#")[0] + "#ids=<img src=x>&ranks=1")
    expect(other.locator("[data-log=result]")).to_be_hidden()


def test_what_no_entry_knows_is_still_of_use(page: Page) -> None:
    paste(page, "[rank0]: Traceback (most recent call last):\n[rank0]: OddError: never seen\nexitcode: -9 (pid: 7)\n")
    result = answered(page)
    expect(result).to_contain_text("never seen")
    expect(result.locator(".enc-help a[href='#by-symptom']")).to_be_visible()
    page.get_by_role("button", name="Search the encyclopedia for this line").click()
    expect(page.get_by_role("dialog").get_by_role("textbox")).to_have_value("OddError: never seen")


def test_a_hostile_log_stays_text(page: Page) -> None:
    said: list[str] = []

    def note(dialog: Dialog) -> None:
        said.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", note)
    markup = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    paste(page, KILLED.decode().replace("[rank1]:", f"[rank1]: {markup}", 400))
    answered(page)
    assert said == []
    assert page.locator(".enc-result img, .enc-result script").count() == 0


def test_the_ways_in_by_symptom_name_the_cheapest_checks(page: Page) -> None:
    ways = page.locator(".enc-way")
    assert ways.count() >= 3
    assert all(0 < ways.nth(i).locator("ol > li").count() <= CHECKS for i in range(ways.count()))


def test_without_a_script_the_command_stands_there(chromium: Browser, site_url: str) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site_url}diagnose/")
    expect(page.locator("noscript pre code")).to_have_text(COMMAND)
    expect(page.locator("#log")).to_be_hidden()
    expect(page.locator(".enc-way").first).to_be_visible()
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_without_axe_violations_and_does_not_scroll_sideways(page: Page, scheme: str) -> None:
    if scheme == "dark":
        go_dark(page)
    assert run_axe(page) == []
    paste(page, KILLED.decode() + "x" * 5000)
    answered(page)
    show_all(page)
    come_to_rest(page)
    assert run_axe(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert sticks_out(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert run_axe(page) == []
