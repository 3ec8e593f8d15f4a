"""The runner: nothing twice, nothing lost, honest about what does not fit."""

import contextlib
import json
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from hlgnn.errors import OutputError, SettingsError
from hlgnn.experiments import Cell, Experiment, ResultStore, Scale, Sheet
from hlgnn.experiments.cell_limit import FAR_BEYOND, SHARE_TO_JUDGE, CellLimit
from hlgnn.experiments.methods import training_cell
from hlgnn.experiments.runner import ABSENT, RunReport, _Crew, _follow, run_experiments
from hlgnn.experiments.worker import follow
from hlgnn.progress import silent

METHODS = ("cn", "mf")


def small_cells(scale: Scale) -> list[Cell]:
    return [training_cell(method, "cora", "paper", scale, seeds=(0, 1)) for method in METHODS]


SMALL = Experiment("small", "Two methods", small_cells, lambda _: Sheet("Two methods"))


def one(name: str, *changes: str) -> Experiment:
    cells = [training_cell(name, "cora", "paper", Scale.FULL, changes=changes, seeds=(0,))]
    return Experiment("one", "One cell", lambda _: cells, lambda _: Sheet("One cell"))


def comparable(store: Path) -> dict[str, Any]:
    """What does not depend on when and how fast it was made."""
    found = {}
    for path in sorted(store.rglob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        result = document["result"]
        kept = {name: result[name] for name in ("valid", "test", "best_epoch", "epochs", "parameters")}
        found[str(path.relative_to(store))] = (document["settings"], document["seed"], document["data"], kept)
    return found


def test_what_is_stored_is_not_run_again_and_is_shared(tmp_path: Path) -> None:
    store, told = ResultStore(tmp_path), list[tuple[str, int, int]]()
    first = run_experiments([SMALL], store, Scale.SMALL, only="mf", seeds=1, progress=lambda *each: told.append(each))
    assert told[-1] == ("Results", 1, 1)
    assert ("Matrix factorization, Cora, seed 0: Training", 2, 2) in told
    assert (first.made, first.kept, first.failures, first.skipped) == (1, 0, [], [])
    others = run_experiments([SMALL], store, Scale.SMALL, jobs=2, only="mf")
    assert (others.made, others.kept) == (1, 1)
    stamps = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.json")}
    again = run_experiments([SMALL, SMALL], store, Scale.SMALL, jobs=2, only="mf")
    assert (again.made, again.kept) == (0, 2)
    assert stamps == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.json")}
    document = json.loads(next(tmp_path.rglob("seed-1.json")).read_text(encoding="utf-8"))
    assert document["versions"]["torch"]
    assert document["result"]["peak_gigabytes"] > 0


def test_results_of_an_earlier_revision_are_made_again_if_asked(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    assert run_experiments([SMALL], store, Scale.SMALL, only="cn", seeds=1).made == 1
    [path] = tmp_path.rglob("*.json")
    document = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(document | {"code": {"revision": document["code"]["revision"] - 1}}), encoding="utf-8")
    assert run_experiments([SMALL], store, Scale.SMALL, only="cn", seeds=1).kept == 1
    again = run_experiments([SMALL], ResultStore(tmp_path, renew=True), Scale.SMALL, only="cn", seeds=1)
    assert (again.made, again.kept) == (1, 0)
    made = json.loads(path.read_text(encoding="utf-8"))
    assert made["code"] == document["code"]
    assert made["result"]["test"] == document["result"]["test"]
    assert run_experiments([SMALL], ResultStore(tmp_path, renew=True), Scale.SMALL, only="cn", seeds=1).kept == 1


def test_a_cell_that_does_not_fit_says_what_it_would_need(tmp_path: Path) -> None:
    store, slow = ResultStore(tmp_path), one("mf", "train.epochs=1000000", "train.patience=0")
    start = time.monotonic()
    report = run_experiments([slow], store, Scale.FULL, budget=240.0)
    assert time.monotonic() - start < 120  # not when the budget is spent, but when it is plain that it will not do
    assert report.made == 0
    assert [each.reason.split(" would need up to about ")[0] for each in report.skipped] == ["not run:"]
    seconds = json.loads(next(tmp_path.rglob("skipped.json")).read_text(encoding="utf-8"))["seconds"]
    assert seconds > 4 * 240.0
    start = time.monotonic()
    again = run_experiments([slow], store, Scale.FULL, budget=240.0)
    assert time.monotonic() - start < 5  # it is not tried again with the same budget
    assert [each.reason for each in again.skipped] == [each.reason for each in report.skipped]
    assert store.outcomes(slow, Scale.FULL).cells[0].skipped == report.skipped[0].reason


def absent_cells(scale: Scale) -> list[Cell]:
    return [training_cell("cn", "ogbl-ppa", "ogb", scale)]


WITHOUT_FILES = Experiment("absent", "No files", absent_cells, lambda _: Sheet("No files"))


def test_a_data_set_that_is_not_there_is_no_failure(tmp_path: Path) -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from pathlib import Path\n"
        "from test_runner import ResultStore, Scale, WITHOUT_FILES, run_experiments\n"
        "for _ in range(2):\n"  # it is tried again, since files may have come
        "    found = run_experiments([WITHOUT_FILES], ResultStore(Path(sys.argv[2])), Scale.FULL, budget=60.0)\n"
        "    assert not found.failures, found\n"
        "    assert 'Files of ogbl-ppa are missing' in found.skipped[0].place, found\n"
    )
    command = [sys.executable, "-c", program, str(Path(__file__).parent), str(tmp_path / "store")]
    alone = os.environ | {"HLGNN_DATA": str(tmp_path / "empty"), "HLGNN_OFFLINE": "1"}
    subprocess.run(command, check=True, timeout=120, env=alone)
    [outcome] = ResultStore(tmp_path / "store").outcomes(WITHOUT_FILES, Scale.FULL).cells
    assert outcome.skipped == ABSENT  # what is stored is true of the files, not of a folder on some machine


def test_a_budget_that_is_spent_ends_a_cell(tmp_path: Path) -> None:
    store, slow = ResultStore(tmp_path), one("mf", "train.epochs=1000000", "train.patience=0")
    report = run_experiments([slow], store, Scale.FULL, budget=0.5)
    assert [each.reason for each in report.skipped] == ["not run: would need more than 0.5 s for each seed"]
    assert report.failures == []
    assert not list(tmp_path.rglob("*.lock"))


class Ended:
    """A process that knows whether it was ended."""

    killed = False

    def kill(self) -> None:
        self.killed = True


@pytest.mark.parametrize(
    ("budget", "spent", "needed", "ended"),
    [
        (60.0, 30.0, 60.0 * FAR_BEYOND + 1, True),
        (60.0, 30.0, 60.0 * FAR_BEYOND - 1, False),  # training may stop early
        (60.0, 60.0 * SHARE_TO_JUDGE - 1, 1e9, False),  # too soon to tell
        (None, 30.0, 1e9, False),
    ],
)
def test_only_what_is_plainly_too_long_is_ended_before_its_time(
    budget: float | None, spent: float, needed: float, ended: bool
) -> None:
    process: Any = Ended()
    limit = CellLimit(process, budget)
    limit.judge(spent, needed)
    limit.cancel()
    assert process.killed == limit.reached == ended


def unlimited() -> CellLimit:
    process: Any = Ended()
    return CellLimit(process, None)


def test_a_part_that_is_done_says_nothing_about_the_next() -> None:
    ours, theirs = multiprocessing.Pipe(duplex=False)
    start = time.monotonic() - 10.0
    theirs.send({"what": "Checking", "done": 3, "total": 3})
    theirs.close()
    assert _follow(ours, start, silent, unlimited())[1] is None
    ours, theirs = multiprocessing.Pipe(duplex=False)
    theirs.send({"what": "Training", "done": 1, "total": 4})
    theirs.send({"what": "Training", "done": 2, "total": 4})
    theirs.close()
    needed = _follow(ours, start, silent, unlimited())[1]
    assert needed is not None
    assert needed >= 10.0  # what went before the training counts


def test_what_a_cell_would_need_is_reckoned_from_whole_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten seconds of preparation and a hundred steps of one second each: the first word comes when one is done."""
    clock = iter([11.0, 12.0, 13.0, 14.0])
    monkeypatch.setattr("hlgnn.experiments.runner.time.monotonic", lambda: next(clock))
    ours, theirs = multiprocessing.Pipe(duplex=False)
    for done in range(1, 5):
        theirs.send({"what": "Training", "done": done, "total": 100})
    theirs.close()
    assert _follow(ours, 0.0, silent, unlimited())[1] == pytest.approx(110.0)


def test_one_long_step_tells_what_a_cell_would_need_at_most_and_gives_nothing_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A minute to check the data, one to prepare, and epochs of five: the first word of forty comes after seven."""
    clock = iter([60.0, 420.0])
    monkeypatch.setattr("hlgnn.experiments.runner.time.monotonic", lambda: next(clock))
    limit, judged = unlimited(), []
    monkeypatch.setattr(limit, "judge", lambda *told: judged.append(told))
    ours, theirs = multiprocessing.Pipe(duplex=False)
    theirs.send({"what": "Checking", "done": 3, "total": 3})
    theirs.send({"what": "Training", "done": 1, "total": 40})
    theirs.close()
    assert _follow(ours, 0.0, silent, limit)[1] == pytest.approx(420.0 + 39 * 360.0)
    assert judged == []


def test_files_that_are_gone_do_not_change_what_a_cell_would_need(tmp_path: Path) -> None:
    store, [cell] = ResultStore(tmp_path), absent_cells(Scale.FULL)
    known = {"reason": "not run: would need up to about 5 h for each seed, and had 1 h", "budget": 3600.0}
    store.skip(cell, known)
    crew = _Crew(store, 1, None, RunReport(), silent)
    crew._absent(cell, "here")
    assert store.skipped(cell) == known
    assert [each.reason for each in crew.report.skipped] == [ABSENT]


def test_wrong_requests_are_refused_before_anything_is_run(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="No cell holds 'nothing'"):
        run_experiments([SMALL], ResultStore(tmp_path), Scale.SMALL, only="nothing")
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(OutputError):
        run_experiments([SMALL], ResultStore(tmp_path / "file" / "store"), Scale.SMALL)


def test_a_cell_that_fails_is_reported_and_not_stored(tmp_path: Path) -> None:
    cell = Cell("?", "?", "train", {"dataset": "cora", "protocol": "paper", "model_name": "mf", "model": {"widht": 3}})
    broken = Experiment("broken", "Broken", lambda _: [cell], lambda _: Sheet("Broken"))
    report = run_experiments([broken], ResultStore(tmp_path), Scale.FULL)
    assert report.made == 0
    assert "Did you mean 'width'" in report.failures[0].reason
    assert not list(tmp_path.rglob("*.json"))


def test_a_run_that_is_killed_three_times_ends_with_the_same_store(tmp_path: Path) -> None:
    run_experiments([SMALL], ResultStore(tmp_path / "whole"), Scale.SMALL, jobs=2)
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from pathlib import Path\n"
        "from test_runner import SMALL, ResultStore, Scale, run_experiments\n"
        "run_experiments([SMALL], ResultStore(Path(sys.argv[2])), Scale.SMALL, jobs=2)\n"
    )
    command = [sys.executable, "-c", program, str(Path(__file__).parent), str(tmp_path / "killed")]
    moments = random.Random(0)
    for _ in range(3):
        process = subprocess.Popen(command, start_new_session=True)
        time.sleep(moments.uniform(4.0, 9.0))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    subprocess.run(command, check=True, timeout=120)
    assert comparable(tmp_path / "killed") == comparable(tmp_path / "whole")
    assert len(comparable(tmp_path / "whole")) == 2 * len(METHODS)
    assert not list(tmp_path.rglob("*.part"))


def test_a_seed_belongs_to_one_process_at_a_time(tmp_path: Path) -> None:
    store, (cell, other) = ResultStore(tmp_path), small_cells(Scale.SMALL)
    with store.claim(cell, 0) as mine, store.claim(cell, 0) as again, store.claim(cell, 1) as next_seed:
        assert (mine, again, next_seed) == (True, False, True)
        assert not store.is_free(cell, 0)
        assert store.is_free(other, 1)
        with store.claim(other, 0) as another:
            assert another
    with store.claim(cell, 0) as free:
        assert free
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_two_runs_on_one_store_share_the_work(tmp_path: Path) -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from pathlib import Path\n"
        "from test_runner import SMALL, ResultStore, Scale, run_experiments\n"
        "report = run_experiments([SMALL], ResultStore(Path(sys.argv[2])), Scale.SMALL, jobs=2)\n"
        "print(report.made, report.kept, len(report.failures))\n"
    )
    command = [sys.executable, "-c", program, str(Path(__file__).parent), str(tmp_path)]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = [[int(each) for each in run.communicate(timeout=120)[0].split()] for run in runs]
    assert sum(made for made, _, _ in said) == 2 * len(METHODS)  # none twice
    assert [(made + kept, failed) for made, kept, failed in said] == [(2 * len(METHODS), 0)] * 2  # all known to both
    assert not list(tmp_path.rglob("*.lock"))


def members(group: int) -> list[int]:
    """The processes of a group that have not ended."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, its = path.read_text(encoding="utf-8").rpartition(")")[2].split()[:3]
            found += [int(path.parent.name)] if int(its) == group and state != "Z" else []
    return found


def say_nothing(pipe: Any) -> None:
    """A worker in the middle of a step that takes long."""
    follow(pipe)
    pipe.send(os.getpid())
    time.sleep(600.0)


def test_a_worker_that_has_nothing_to_say_ends_with_the_process_that_started_it() -> None:
    program = (
        "import sys, time; sys.path.insert(0, sys.argv[1])\n"
        "from multiprocessing import get_context\n"
        "from test_runner import say_nothing\n"
        "context = get_context('forkserver')\n"
        "ours, theirs = context.Pipe(duplex=False)\n"
        "context.Process(target=say_nothing, args=(theirs,)).start()\n"
        "theirs.close()\n"
        "print(ours.recv(), flush=True)\n"
        "time.sleep(600)\n"
    )
    command = [sys.executable, "-c", program, str(Path(__file__).parent)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None
        worker = int(started.stdout.readline())
        os.kill(worker, 0)  # it is there
        started.kill()
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            os.kill(worker, 0)
        except ProcessLookupError:
            return
        time.sleep(0.2)
    os.kill(worker, signal.SIGKILL)
    pytest.fail("the worker is still there")


@pytest.mark.skipif(not Path("/proc/self/stat").is_file(), reason="processes are found through /proc")
def test_workers_end_silently_with_the_process_that_started_them(tmp_path: Path) -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from pathlib import Path\n"
        "from test_runner import ResultStore, Scale, one, run_experiments\n"
        "slow = one('mf', 'train.epochs=1000000', 'train.patience=0')\n"
        "run_experiments([slow], ResultStore(Path(sys.argv[2])), Scale.FULL, jobs=1, progress=print)\n"
    )
    command = [sys.executable, "-c", program, str(Path(__file__).parent), str(tmp_path)]
    said = tmp_path / "said.txt"
    with said.open("w") as errors:
        started = subprocess.Popen(command, start_new_session=True, stderr=errors)
    deadline = time.monotonic() + 120
    while len(members(started.pid)) < 4 and time.monotonic() < deadline:  # itself, a tracker, a server, and a worker
        time.sleep(0.2)
    time.sleep(3.0)
    os.kill(started.pid, signal.SIGKILL)
    started.wait()
    while members(started.pid) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not members(started.pid)
    assert "Traceback" not in said.read_text()
