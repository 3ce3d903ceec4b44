#!/usr/bin/env python3
"""Draws the icons: the sighting instrument the program is named after, a ring with a rule across it.

Needs Pillow. The results are committed."""
import math
from pathlib import Path

from PIL import Image, ImageDraw

SIDE = 1024
BRASS, DARK, LIGHT = "#c9973f", "#23262d", "#f4efe4"


def drawn() -> Image.Image:
    over = 4
    side = SIDE * over
    icon = Image.new("RGBA", (side, side), (0, 0, 0, 0))
    pen = ImageDraw.Draw(icon)
    unit = side / 64
    pen.rounded_rectangle([2 * unit, 2 * unit, 62 * unit, 62 * unit], radius=14 * unit, fill=DARK)
    centre = side / 2
    pen.ellipse([14 * unit, 14 * unit, 50 * unit, 50 * unit], outline=BRASS, width=round(4.5 * unit))
    # The rule, sighting up to the right, with a vane at either end.
    angle = math.radians(-38)
    along = (math.cos(angle), math.sin(angle))
    across = (-along[1], along[0])

    def at(forward: float, aside: float) -> tuple[float, float]:
        return (
            centre + (along[0] * forward + across[0] * aside) * unit,
            centre + (along[1] * forward + across[1] * aside) * unit,
        )

    pen.polygon([at(-25, -1.6), at(25, -1.6), at(25, 1.6), at(-25, 1.6)], fill=LIGHT)
    for end in (-24, 24):
        pen.polygon([at(end - 1.8, -6), at(end + 1.8, -6), at(end + 1.8, 6), at(end - 1.8, 6)], fill=LIGHT)
    pen.ellipse([centre - 4.6 * unit, centre - 4.6 * unit, centre + 4.6 * unit, centre + 4.6 * unit], fill=BRASS)
    pen.ellipse([centre - 1.8 * unit, centre - 1.8 * unit, centre + 1.8 * unit, centre + 1.8 * unit], fill=DARK)
    return icon.resize((SIDE, SIDE), Image.LANCZOS)


here = Path(__file__).parent
whole = drawn()
for name, side in {"icon.png": 512, "128x128@2x.png": 256, "128x128.png": 128, "32x32.png": 32}.items():
    whole.resize((side, side), Image.LANCZOS).save(here / name, optimize=True)
