#!/usr/bin/env python3
"""Draws mail.png and account.png, two made-up pages with fields, and prints where the fields are.

Needs Chromium and the fonts DejaVu Sans and Open Sans of Debian. Run it only to change the pictures; they are
committed, and what is asked about them stands in questions.json."""
import json
import re
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
STYLE = """<!doctype html><meta charset=utf-8><style>*{{box-sizing:border-box}}
body{{margin:0;font:{size}px {font},DejaVu Sans;background:{paper};color:{ink}}}
.bar{{display:flex;gap:2px;padding:2px 6px;background:#e4e4e4}}.bar span{{padding:4px 9px}}
input{{border:1px solid {line};background:#fff;color:{ink};font:inherit;padding:4px 8px;border-radius:4px}}
button{{font:inherit;padding:5px 14px;border:1px solid {edge};border-radius:4px;background:{face};color:{word}}}
::placeholder{{color:#888}}h1{{font-size:1.5em}}</style><body>"""
LIGHT = dict(size=14, font="DejaVu Sans", paper="#f2f2f2", ink="#222", line="#aaa", edge="#aaa", face="#e8e8e8", word="#222")
FLAT = dict(size=16, font="Open Sans", paper="#fff", ink="#1c2b3a", line="#cfd8e3", edge="#2f6fde", face="#2f6fde", word="#fff")
MAIL = """<div class=bar><span>File</span><span>Edit</span><span>View</span><span>Search</span><span>Message</span>
<span>Tools</span><span>Help</span></div>
<div style="display:flex;gap:8px;padding:6px"><button>Reply</button><button>Forward</button><button>Archive</button>
<div style="flex:1"></div><input id=find placeholder="Find a message" style="width:280px"></div>
<div style="display:flex"><div style="width:180px;padding:10px;line-height:28px">Inbox<br>Drafts<br>Sent<br>Archive<br>Spam</div>
<div style="flex:1;background:#fff;padding:10px;line-height:30px;height:480px">Anna Berg &nbsp; Minutes of the meeting<br>
Jon Lund &nbsp; Search party on Saturday<br>Mia Falk &nbsp; Where to enter the new code<br>Otto Vik &nbsp; Invoice 2207</div></div>
<div style="display:flex;gap:8px;padding:8px;align-items:center"><span>Filter:</span><input id=filter style="width:500px">
<button>Clear</button></div>"""
FIELD = '<div>{label}</div><input id={id} style="width:100%;height:38px" {more}><br><br>'
FIELDS = [
    ("First name *", "name", ""),
    ("E-mail address *", "mail", 'placeholder="you@example.org"'),
    ("Password *", "password", 'value="••••••••"'),
    ("Street and number", "street", ""),
    ("Town", "town", ""),
]
ACCOUNT = (
    '<div style="padding:30px 60px;width:560px"><h1>Create your account</h1><p>All boxes marked with a star must be filled in.</p>'
    + "".join(FIELD.format(label=label, id=id, more=more) for label, id, more in FIELDS)
    + "<button>Create account</button> <a href=#>Log in instead</a></div>"
)
WHERE = """<script>let o={};document.querySelectorAll('[id]').forEach(e=>{let r=e.getBoundingClientRect();
o[e.id]=[r.x,r.y,r.width,r.height].map(Math.round)});document.documentElement.setAttribute('data-o',JSON.stringify(o))</script>"""


def draw(name, page, width, height):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "page.html")
        file.write_text(page + WHERE)
        call = ["chromium", "--headless=new", "--no-sandbox", "--hide-scrollbars", f"--user-data-dir={folder}/user", f"--window-size={width},{height}"]
        subprocess.run([*call, f"--screenshot={HERE / name}", file.as_uri()], check=True, capture_output=True)
        told = subprocess.run([*call, "--dump-dom", file.as_uri()], check=True, capture_output=True, text=True).stdout
    print(name, json.loads(re.search(r'data-o="([^"]*)"', told)[1].replace("&quot;", '"')))


draw("mail.png", STYLE.format(**LIGHT) + MAIL, 1100, 720)
draw("account.png", STYLE.format(**FLAT) + ACCOUNT, 900, 760)
