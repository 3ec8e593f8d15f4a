"""The claims of the paper, each with the experiment that tries it and the rule that judges it from the store."""

from hlgnn.experiments.claims.all_claims import CLAIMS
from hlgnn.experiments.claims.verdict import Claim, Verdict

__all__ = ["CLAIMS", "Claim", "Verdict"]
