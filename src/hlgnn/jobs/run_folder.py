"""The folder of one run: what it was told, how it went, what came out."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from hlgnn.atomic import atomic_path, make_folder
from hlgnn.errors import RunError
from hlgnn.jobs.run_settings import RunSettings, read_run_settings
from hlgnn.jobs.versions import versions
from hlgnn.processes import SINGLE, Processes
from hlgnn.settings import write_toml
from hlgnn.training.checkpoint_parts import forget_parts

if TYPE_CHECKING:
    from pathlib import Path

    from hlgnn.training.fit import EpochRecord

SETTINGS = "settings.toml"


@dataclass(frozen=True)
class RunFolder:
    """A folder, and the names of what is in it.

    Attributes:
        path: Where it is.
        settings: What the run was told.
    """

    path: Path
    settings: RunSettings

    @classmethod
    def create(cls, path: Path, settings: RunSettings) -> RunFolder:
        """A new folder with the settings and the versions.

        Raises:
            RunError: If there is something already.
        """
        cls.require_free(path)
        make_folder(path)
        run = cls(path, settings)
        _write_text(run.path / "versions.json", json.dumps(versions(), indent=2) + "\n")
        _write_text(run.path / SETTINGS, write_toml(settings))
        return run

    @staticmethod
    def require_free(path: Path) -> None:
        """Make sure that nothing would be overwritten.

        Raises:
            RunError: If there is something already.
        """
        if path.exists() and (not path.is_dir() or any(path.iterdir())):
            ends = {SETTINGS: "result.json", "plan.json": "summary.json"}  # of one run, and of several
            begun = any((path / first).is_file() and not (path / last).is_file() for first, last in ends.items())
            raise RunError(
                "There is something here already, and nothing is overwritten.",
                where=str(path),
                hint=f"Choose another --out{f', or go on with hlgnn train --resume {path}' if begun else ''}.",
            )

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """A folder that is there.

        Raises:
            RunError: If it is not the folder of a run.
        """
        if not (path / SETTINGS).is_file():
            raise RunError(
                "This is not the folder of a run: it has no settings.toml.",
                where=str(path),
                hint="Name a folder that 'hlgnn train' wrote; with --runs, one of those inside it.",
            )
        return cls(path, read_run_settings(path / SETTINGS))

    @classmethod
    def begin(cls, path: Path, settings: RunSettings, processes: Processes = SINGLE) -> RunFolder:
        """The same for several processes: the first makes the folder, and all see it.

        Raises:
            RunError: If there is something already, or a process does not see the folder.
        """
        cls.require_free(path)
        processes.wait()
        run = cls.create(path, settings) if processes.first else cls(path, settings)
        processes.wait()
        if not (path / SETTINGS).is_file():
            raise RunError(
                "A process does not see the folder that the first one has made.",
                where=str(path),
                hint="Name a folder on a disk that all hosts share.",
            )
        return run

    @property
    def weights(self) -> Path:
        """The weights of the best epoch."""
        return self.path / "weights.safetensors"

    @property
    def checkpoint(self) -> Path:
        """What the next epoch depends on; gone when the run is finished."""
        return self.path / "checkpoint.safetensors"

    @property
    def finished(self) -> bool:
        """Whether there is a result."""
        return (self.path / "result.json").is_file()

    def result(self) -> dict[str, Any]:
        """The result.

        Raises:
            RunError: If the run has not ended, or the file is damaged.
        """
        try:
            found: dict[str, Any] = json.loads((self.path / "result.json").read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise RunError(
                "The run has no result yet.",
                where=str(self.path),
                hint=f"Go on with 'hlgnn train --resume {self.path}'.",
            ) from None
        except ValueError as error:
            raise RunError(f"The result cannot be read ({error}).", where=str(self.path / "result.json")) from None
        return found

    def curve(self) -> list[dict[str, Any]]:
        """What was noted after each epoch."""
        path = self.path / "curve.jsonl"
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        return [json.loads(line) for line in lines if line.endswith("}")]

    def note(self, record: EpochRecord) -> None:
        """Add an epoch to the curve."""
        with (self.path / "curve.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(record)) + "\n")

    def forget_after(self, epoch: int) -> None:
        """Drop the epochs that will be made again."""
        lines = [json.dumps(record) for record in self.curve() if record["epoch"] <= epoch]
        _write_text(self.path / "curve.jsonl", "".join(f"{line}\n" for line in lines))

    def finish(self, result: dict[str, Any], card: str) -> None:
        """Write the model card and the result; the checkpoint has done its work."""
        _write_text(self.path / "card.md", card)
        _write_text(self.path / "result.json", json.dumps(result, indent=2) + "\n")
        self.checkpoint.unlink(missing_ok=True)
        forget_parts(self.checkpoint)


def _write_text(path: Path, text: str) -> None:
    with atomic_path(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
