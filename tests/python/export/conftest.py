"""A profile as a file, for the tests of every format."""

from pathlib import Path

import pytest
from helpers.profiles import PROFILE


@pytest.fixture
def profile(tmp_path):
    def write(text: str = PROFILE) -> Path:
        file = tmp_path / "cluster.toml"
        file.write_text(text)
        return file

    return write
