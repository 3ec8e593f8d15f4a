"""The response is what H does to eigenvectors."""

import numpy as np
import pytest
import torch

from hlgnn.errors import SettingsError
from hlgnn.formulation import ADJ, ROW, SYM, Formulation, Operator
from hlgnn.graph import karate_club
from hlgnn.interpret import frequency_response, has_response

BETAS = (0.3, -0.5, 0.2, 1.1)


def test_it_is_the_polynomial_of_the_weights() -> None:
    found = frequency_response(Formulation("h", (SYM,) * 3, BETAS), np.array([-1.0, 0.0, 0.5, 1.0]))
    np.testing.assert_allclose(found, [0.3 + 0.5 + 0.2 - 1.1, 0.3, 0.3 - 0.25 + 0.05 + 0.1375, 1.1])


@pytest.mark.parametrize("tilts", [(), (0.3, 0.3, 0.3)])
def test_eigenvectors_are_multiplied_by_it(tilts: tuple[float, ...]) -> None:
    graph = karate_club()
    h = Formulation("h", (SYM,) * 3, BETAS, tilts=tilts)
    one = Formulation("one", (SYM,), (0.0, 1.0), tilts=tilts[:1])
    unit = torch.eye(34, dtype=torch.float64)
    values = np.sort(np.linalg.eigvals(one.apply(graph, unit).numpy()).real)
    expected = np.sort(frequency_response(h, values))
    np.testing.assert_allclose(np.sort(np.linalg.eigvals(h.apply(graph, unit).numpy()).real), expected, atol=1e-9)


def test_only_one_normalised_operator_has_one() -> None:
    assert has_response(Formulation("walk", (ROW, ROW), (1.0, 1.0, 1.0)))
    assert has_response(Formulation("identity", (), (1.0,)))
    for operators in [(ADJ,), (SYM, ROW), (Operator(sym=0.5, row=0.5),)]:
        formulation = Formulation("h", operators, (1.0,) * (len(operators) + 1))
        assert not has_response(formulation)
        with pytest.raises(SettingsError, match="eigenvalues"):
            frequency_response(formulation, np.zeros(1))
    assert not has_response(Formulation("lrw", (ROW,), (1.0, 1.0), degree_scale=True))
