"""What every link predictor has to do, as code that anybody can run on a method of their own."""

from hlgnn.testing.check_link_model import LAWS, check_law, check_link_model

__all__ = ["LAWS", "check_law", "check_link_model"]
