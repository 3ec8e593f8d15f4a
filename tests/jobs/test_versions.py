"""What a result says of the machine that it was made on."""

from __future__ import annotations

import json

import pytest
import torch

from hlgnn.jobs.versions import PACKAGES, versions


def test_packages_and_machine_are_plain_values() -> None:
    found = json.loads(json.dumps(versions()))
    assert set(PACKAGES) < set(found)
    assert found["threads"] == torch.get_num_threads()
    assert isinstance(found["multiplies_bfloat16"], bool)


@pytest.mark.parametrize(("known", "said"), [({"cpu_name": "Example 2.0GHz"}, "Example 2.0GHz"), ({}, "unknown")])
def test_a_processor_is_called_what_torch_knows(
    monkeypatch: pytest.MonkeyPatch, known: dict[str, str], said: str
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: known)
    assert versions()["processor"] == said
