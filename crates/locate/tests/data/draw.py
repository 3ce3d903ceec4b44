#!/usr/bin/env python3
"""Draws the pictures of this folder and their questions (questions.json). Needs Pillow and the DejaVu fonts.

The programs and devices do not exist. Pictures and truth are ours.
"""
import json, os, random
from PIL import Image, ImageDraw, ImageFont, ImageFilter

HERE = os.path.dirname(os.path.abspath(__file__))
FONTS = "/usr/share/fonts/truetype/dejavu/"


def font(size, name="DejaVuSans.ttf"):
    return ImageFont.truetype(FONTS + name, size)


class Board:
    """A picture on which every drawn thing leaves its box."""

    def __init__(self, width, height, paper):
        self.picture = Image.new("RGB", (width, height), paper)
        self.draw = ImageDraw.Draw(self.picture)
        self.boxes = {}

    def text(self, x, y, text, ink, size=13, key=None, name="DejaVuSans.ttf"):
        self.draw.text((x, y), text, fill=ink, font=font(size, name))
        left, top, right, bottom = self.draw.textbbox((x, y), text, font=font(size, name))
        self.boxes[key or text] = [left, top, right - left, bottom - top]

    def box(self, x, y, w, h, fill, edge, text=None, ink=None, key=None, radius=4, size=13):
        self.draw.rounded_rectangle((x, y, x + w, y + h), radius, fill, edge)
        if text:
            left, top, right, bottom = self.draw.textbbox((0, 0), text, font=font(size))
            self.draw.text((x + (w - right - left) / 2, y + (h - bottom - top) / 2), text, fill=ink, font=font(size))
        self.boxes[key or text] = [x, y, w, h]

    def tick(self, x, y, text, ink, fill, edge, on):
        self.draw.rectangle((x, y, x + 13, y + 13), fill, edge)
        if on:
            self.draw.line((x + 3, y + 7, x + 6, y + 10, x + 11, y + 3), ink, 2)
        self.text(x + 21, y - 1, text, ink)
        b = self.boxes[text]
        self.boxes[text] = [x, y - 2, b[0] + b[2] - x, 18]


def backup():
    """A dialog of a program that keeps copies: buttons, fields, boxes to tick, tabs."""
    b = Board(640, 420, "#e9e9ec")
    ink, grey, edge = "#202024", "#f7f7f8", "#a9a9b0"
    b.draw.rectangle((0, 0, 640, 30), "#3b4b66")
    b.text(240, 7, "Copykeeper – Plan", "#ffffff", key="title")
    for n, tab in enumerate(["Sources", "Schedule", "Exclusions"]):
        b.box(16 + n * 110, 42, 108, 30, "#ffffff" if n == 0 else "#d9d9de", edge, tab, ink, radius=2)
    b.draw.rectangle((16, 72, 624, 360), "#f4f4f6", edge)
    for n, (label, value) in enumerate([("Folder:", "/home/mia/Photos"), ("Server name:", "attic.example"), ("Keep copies for:", "90 days")]):
        y = 92 + n * 40
        b.text(32, y + 4, label, ink)
        b.box(180, y, 300, 26, "#ffffff", edge, key="field " + label, radius=3)
        b.text(188, y + 5, value, ink)
    b.box(496, 92, 110, 27, grey, edge, "Browse...", ink)
    b.tick(32, 226, "Encrypt the copies", ink, "#ffffff", edge, True)
    b.tick(32, 254, "Skip hidden files", ink, "#ffffff", edge, False)
    b.tick(32, 282, "Shut down when finished", ink, "#ffffff", edge, False)
    b.text(32, 322, "The last copy was made on Tuesday and took 12 minutes.", "#606068", key="note")
    b.box(300, 376, 100, 30, grey, edge, "Help", ink)
    b.box(410, 376, 100, 30, grey, edge, "Cancel", ink)
    b.box(520, 376, 104, 30, "#c0392b", "#8e2a20", "Start now", "#ffffff")
    return b, [
        ("Where is the Cancel button?", ["Cancel"]),
        ("where do I type the server name", ["field Server name:", "Server name:"]),
        ("the Schedule tab", ["Schedule"]),
        ("leave out hidden files", ["Skip hidden files"]),
        ("encrypt the copies", ["Encrypt the copies"]),
        ("turn off the computer when it is done", ["Shut down when finished"]),
        ("the red button", ["Start now"]),
        ("choose another folder, the Browse button", ["Browse..."]),
        ("abort", ["Cancel"]),
        ("\"attic.example\"", ["attic.example", "field Server name:"]),
        ("Where is the Restore button?", []),
        ("the password field", []),
        ("the green button", []),
        ("keep copies for 30 days", []),
        ("the Print button", []),
    ]


def editor():
    """A dark program with an open menu."""
    b = Board(720, 440, "#26282e")
    ink, soft = "#e6e6ea", "#9a9aa4"
    b.draw.rectangle((0, 0, 720, 26), "#33363e")
    x = 10
    for word in ["Score", "Edit", "Notes", "Playback", "Window"]:
        b.text(x, 5, word, ink, key="bar " + word)
        x += int(b.draw.textlength(word, font=font(13))) + 18
    b.draw.rectangle((116, 26, 396, 26 + 8 * 26 + 8), "#3d4049", "#50535d")
    for n, (entry, keys) in enumerate([("Transpose Up", "Ctrl+Up"), ("Transpose Down", "Ctrl+Down"), ("Insert Measure", "Ins"),
                                       ("Remove Measure", ""), ("Add Slur", "S"), ("Respell Notes", ""), ("Copy to Voice 1", "Alt+1"), ("Copy to Voice 2", "Alt+2")]):
        y = 32 + n * 26
        b.text(130, y + 4, entry, ink)
        b.boxes[entry] = [116, y, 280, 26]
        b.text(310, y + 4, keys or " ", soft, key="keys " + entry)
    b.text(420, 80, "Allegro", ink, 20, name="DejaVuSerif-Bold.ttf")
    b.text(420, 120, "Moonlit walk, page 2", ink, 15, name="DejaVuSerif.ttf")
    b.text(420, 160, "repeat the last measure softly", soft, 12, name="DejaVuSerif.ttf")
    b.text(12, 416, "Measure 17 of 64", soft, key="status")
    return b, [
        ("the Playback menu", ["bar Playback"]),
        ("transpose down", ["Transpose Down"]),
        ("Where is Copy to Voice 2?", ["Copy to Voice 2"]),
        ("copy it to voice 3", []),
        ("delete the measure", ["Remove Measure"]),
        ("create a slur", ["Add Slur"]),
        ("Where is the word softly?", ["repeat the last measure softly"]),
        ("which measure am I in", ["status"]),
        ("the Tempo menu", []),
        ("Where is Save?", []),
        ("the mixer", []),
        ("Copy to Voice 1", ["Copy to Voice 1"]),
    ]


def panel():
    """A device as a camera sees it: turned, uneven light, noise."""
    b = Board(640, 420, "#51565c")
    b.draw.rounded_rectangle((30, 30, 610, 390), 16, "#c9c6bd", "#2b2d30", 3)
    b.text(200, 48, "GREENHOUSE UNIT B", "#2a2a2a", 20, name="DejaVuSans-Bold.ttf")
    for n, (label, colour) in enumerate([("MIST", "#2f6fb5"), ("VENT", "#3c8f4a"), ("HEAT", "#c23b2e")]):
        x = 90 + n * 160
        b.draw.ellipse((x, 110, x + 90, 200), colour, "#222222", 2)
        b.draw.line((x + 45, 155, x + 45, 118), "#f4f4f4", 4)
        b.boxes["knob " + label] = [x, 110, 90, 90]
        b.text(x + 20, 212, label, "#2a2a2a", 18, name="DejaVuSans-Bold.ttf")
    for n, label in enumerate(["PUMP 1", "PUMP 2", "DRAIN"]):
        x = 80 + n * 170
        b.box(x, 280, 130, 56, "#f0efe9", "#444444", label, "#1f1f1f", radius=6, size=19)
    picture = b.picture.convert("RGBA").rotate(-4, Image.BICUBIC, expand=False, fillcolor="#51565c").convert("RGB")
    import math
    def turned(box):
        corners = [(box[0], box[1]), (box[0] + box[2], box[1]), (box[0], box[1] + box[3]), (box[0] + box[2], box[1] + box[3])]
        a = math.radians(4)
        moved = [((x - 320) * math.cos(a) - (y - 210) * math.sin(a) + 320, (x - 320) * math.sin(a) + (y - 210) * math.cos(a) + 210) for x, y in corners]
        left, top = min(m[0] for m in moved), min(m[1] for m in moved)
        return [round(left), round(top), round(max(m[0] for m in moved) - left), round(max(m[1] for m in moved) - top)]
    b.boxes = {key: turned(box) for key, box in b.boxes.items()}
    random.seed(7)
    picture = picture.filter(ImageFilter.GaussianBlur(0.7))
    pixels = picture.load()
    for y in range(picture.height):
        for x in range(picture.width):
            light = 0.82 + 0.3 * x / picture.width
            pixels[x, y] = tuple(max(0, min(255, int(c * light + random.gauss(0, 5)))) for c in pixels[x, y])
    b.picture = picture
    return b, [
        ("the heat knob", ["knob HEAT", "HEAT"]),
        ("PUMP 2", ["PUMP 2"]),
        ("PUMP 3", []),
        ("the blue knob", ["knob MIST"]),
        ("the drain", ["DRAIN"]),
        ("the light switch", []),
        ("the purple knob", []),
        ("the ventilation", ["knob VENT", "VENT"]),
    ]


def main():
    questions = []
    for name, made, ending in [("backup", backup, "png"), ("editor", editor, "png"), ("panel", panel, "jpg")]:
        board, asks = made()
        file = f"{name}.{ending}"
        if ending == "jpg":
            board.picture.save(os.path.join(HERE, file), quality=85)
        else:
            board.picture.save(os.path.join(HERE, file), optimize=True)
        for question, keys in asks:
            questions.append({"image": file, "question": question, "target": [board.boxes[k] for k in keys]})
    with open(os.path.join(HERE, "questions.json"), "w", encoding="utf-8") as out:
        json.dump(questions, out, indent=0, ensure_ascii=False)


main()
