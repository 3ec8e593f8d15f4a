"""The exceptions of hlgnn: each says what is wrong, where, and what to do."""


class HlgnnError(Exception):
    """An error that a person can act on.

    Args:
        what: What is wrong, as a sentence.
        where: The file and line, or the field, if there is one.
        hint: What to do about it, as a sentence.
    """

    exit_code = 1

    def __init__(self, what: str, *, where: str = "", hint: str = "") -> None:
        self.what, self.where, self.hint = what, where, hint
        super().__init__(what, where, hint)

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        advice = f" {self.hint}" if self.hint else ""
        return f"{place}{self.what}{advice}"


class UnknownNameError(HlgnnError):
    """A name that nothing is registered under."""

    exit_code = 2


class SettingsError(HlgnnError):
    """A setting or an option with an illegal value."""

    exit_code = 2


class MissingFileError(HlgnnError):
    """A file that was named by the user and is not there."""

    exit_code = 2


class GraphFormatError(HlgnnError):
    """A table or an object that is not the graph it should be."""


class DatasetError(HlgnnError):
    """A data set that is missing, damaged, or does not fit what is asked of it."""


class AbsentDataError(DatasetError):
    """Official files that are not there and could not be fetched."""


class SplitError(HlgnnError):
    """A split that cannot be made, or that does not fit together."""


class MetricError(HlgnnError):
    """A metric that is meaningless for the given scores."""


class OutputError(HlgnnError):
    """A result that could not be written."""


class MissingPackageError(HlgnnError):
    """An optional package that a conversion needs and that is not installed."""


class NumericalError(HlgnnError):
    """Numbers that overflow or are none."""


class CheckpointError(HlgnnError):
    """Saved weights that are damaged, or that do not fit what they are loaded into."""


class RunError(HlgnnError):
    """A run folder that is missing, incomplete, or in the way."""


class ProcessError(HlgnnError):
    """Another process of the run that is gone; starting again may help."""

    exit_code = 75


class SaidElsewhere(HlgnnError):  # noqa: N818 - it is the silence after an error
    """An error that another process of the run has told of, so that a person reads it once.

    Args:
        exit_code: What that error ends with.
    """

    def __init__(self, exit_code: int) -> None:
        super().__init__("Another process of the run has said what is wrong.")
        self.exit_code = exit_code


class PluginError(HlgnnError):
    """A method of another package that cannot be used."""


class ContractError(HlgnnError):
    """A method that does not do what every link predictor has to do."""
