"""NCN: representations of common neighbours, summed; NCNC: neighbours that may be common count by their chance."""

from hlgnn.baselines.ncn.completed import NCNC, NCNC_CARD
from hlgnn.baselines.ncn.model import NCN, NCN_CARD
from hlgnn.baselines.ncn.settings import NCNCSettings, NCNSettings

__all__ = ["NCN", "NCNC", "NCNC_CARD", "NCN_CARD", "NCNCSettings", "NCNSettings"]
