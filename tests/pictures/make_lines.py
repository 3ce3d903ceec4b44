#!/usr/bin/env python3
"""Draws labels.png and lines.png, the 1920×1080 screens of 100 short and 100 long lines that the benchmarks read.

Needs Pillow and the DejaVu fonts of Debian (fonts-dejavu-core). The result is committed."""
import random
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

WORDS = """account added archive backup balance before between border branch bridge bright browse calendar camera
capture careful channel chapter circle clear climate close cluster collect colour column compare compass contact
contrast control copper corner counter country courier create current curtain cursor default degree deliver device
display divide double drawer editor effect engine errand export factor family feature field figure filter finish
folder format forward garden gather gentle gradient grammar harbour header height history hollow import include
index invoice island kettle ladder language later letter library limit listen lower marker market matter measure
memory message meter middle mirror mobile monitor morning mountain network notice number object office option
orbit order outline output packet painter palette panel parcel partner pattern pencil period picture pocket point
portrait print profile project quarter quick radio random record region remote repeat report result review river
route sample saturday schedule screen season second section select sentence server shadow shelter signal silver
simple sketch solid source spare special station stencil storage street string studio summer surface switch symbol
table target ticket timber timer topic tower tracker travel update upper valley value vector version village volume
wander weather weekly window winter wonder writer yellow""".split()

FONT = ImageFont.truetype("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", 14)


def draw(name: str, fewest: int, most: int) -> None:
    """Two columns of 50 lines, each of between `fewest` and `most` words."""
    chance = random.Random(7)
    picture = Image.new("RGB", (1920, 1080), "#fbfbfa")
    pen = ImageDraw.Draw(picture)
    pen.rectangle([0, 0, 1920, 30], fill="#e6e7ea")
    for column in range(2):
        for row in range(50):
            words = " ".join(chance.sample(WORDS, chance.randint(fewest, most)))
            pen.text((40 + 950 * column, 42 + 20.5 * row), words.capitalize(), font=FONT, fill="#202226")
    picture.save(Path(__file__).with_name(name), optimize=True)


# As the labels of a program's window, and as a page of prose.
draw("labels.png", 1, 4)
draw("lines.png", 4, 8)
