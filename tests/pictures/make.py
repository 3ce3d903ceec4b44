#!/usr/bin/env python3
"""Draws settings.png, the picture that ./run asks about: the settings of a made-up program.

Needs Pillow and the DejaVu fonts of Debian (fonts-dejavu-core). Run it only to change the picture;
the result is committed."""
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

FONTS = Path("/usr/share/fonts/truetype/dejavu")
SCALE = 2  # drawn at twice the size, then halved: smooth edges
WIDTH, HEIGHT = 1280, 800
INK, QUIET, LINE, PAPER, PANE, ACCENT = "#1d2127", "#68707c", "#d8dce2", "#ffffff", "#f3f4f6", "#2f6fd0"

picture = Image.new("RGB", (WIDTH * SCALE, HEIGHT * SCALE), "#c9d2dc")
pen = ImageDraw.Draw(picture)


def box(x, y, w, h, fill, radius=0, outline=None):
    pen.rounded_rectangle(
        [x * SCALE, y * SCALE, (x + w) * SCALE, (y + h) * SCALE], radius * SCALE, fill=fill, outline=outline, width=SCALE
    )


def text(x, y, words, size=15, fill=INK, bold=False, anchor="lm"):
    font = ImageFont.truetype(str(FONTS / ("DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf")), size * SCALE)
    pen.text((x * SCALE, y * SCALE), words, font=font, fill=fill, anchor=anchor)


def switch(x, y, on):
    box(x, y - 11, 42, 22, ACCENT if on else "#b7bdc7", 11)
    pen.ellipse([(x + (22 if on else 2)) * SCALE, (y - 9) * SCALE, (x + (40 if on else 20)) * SCALE, (y + 9) * SCALE], fill="white")


def button(x, y, w, words, main=False):
    box(x, y, w, 36, ACCENT if main else PAPER, 6, None if main else LINE)
    text(x + w / 2, y + 18, words, 14, "white" if main else INK, anchor="mm")


box(120, 60, 1040, 680, PAPER, 12)
box(120, 60, 1040, 48, PANE, 12)
text(640, 84, "Settings", 15, bold=True, anchor="mm")
for index, colour in enumerate(["#e0524d", "#e8b23f", "#55ab55"]):
    pen.ellipse([(140 + 24 * index) * SCALE, 77 * SCALE, (154 + 24 * index) * SCALE, 91 * SCALE], fill=colour)

box(121, 108, 240, 620, "#f8f9fa")
for index, page in enumerate(["General", "Appearance", "Notifications", "Privacy", "Shortcuts", "Accounts", "About"]):
    y = 140 + 44 * index
    if page == "Notifications":
        box(133, y - 18, 216, 36, "#dfe8f6", 6)
    text(152, y, page, 15, ACCENT if page == "Notifications" else INK)

text(400, 146, "Notifications", 22, bold=True)
rows = [
    ("Show notifications", "Messages appear in the corner of the screen.", True),
    ("Play a sound", "A short sound when a message arrives.", False),
    ("Preview the contents", "Part of the message is shown on the lock screen.", True),
    ("Do not disturb", "Nothing is shown until you switch this off.", False),
]
for index, (title, about, on) in enumerate(rows):
    y = 210 + 78 * index
    text(400, y, title, 15)
    text(400, y + 24, about, 12, QUIET)
    switch(1070, y + 10, on)
    pen.line([400 * SCALE, (y + 54) * SCALE, 1112 * SCALE, (y + 54) * SCALE], fill=LINE, width=SCALE)

text(400, 538, "Quiet hours", 15)
box(620, 520, 120, 36, PAPER, 6, LINE)
text(640, 538, "22:00", 14)
text(762, 538, "to", 14, QUIET)
box(796, 520, 120, 36, PAPER, 6, LINE)
text(816, 538, "07:00", 14)

button(400, 600, 150, "Test message")
button(880, 672, 110, "Cancel")
button(1002, 672, 110, "Save", True)

picture.resize((WIDTH, HEIGHT), Image.LANCZOS).save(Path(__file__).with_name("settings.png"), optimize=True)
