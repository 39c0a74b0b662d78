"""Python with a module in a sibling folder."""

import pathlib
import sys

sys.path += [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent / "shared")]
from helper import choose  # noqa: E402

from ugi import play  # noqa: E402

play(choose)
