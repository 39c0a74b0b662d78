"""Plays each bot in each way, applies the cures that it is told, and makes a table of it."""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

# Nobody has this number.
USER = 70123
PATH = "/usr/local/bin:/usr/bin:/bin"
PYTHON = "/usr/bin/python3"
MOST_CURES = 4

# Name, folder that must be there, whether it needs packages, command. They are
# started in the folder `cup` beside those of the bots.
HONEST = [
    ("python, numpy of a venv", "python", True, "../venv/bin/python ../python/numpy_bot.py"),
    ("python, numpy of the user", "python", True, f"{PYTHON} ../python/numpy_bot.py"),
    ("python, joblib of a venv", "python", True, "../venv/bin/python ../python/joblib_bot.py"),
    ("python, joblib of the user", "python", True, f"{PYTHON} ../python/joblib_bot.py"),
    ("python, a pool of processes", "python", False, f"{PYTHON} ../python/pool_bot.py"),
    ("python, child processes", "python", False, f"{PYTHON} ../python/children_bot.py"),
    ("python, a table of 100 MB", "python", False, f"{PYTHON} ../python/table_bot.py"),
    ("node, node_modules above", "node", False, "node ../node/src/node_bot.js"),
    ("perl", "perl", False, "perl ../perl/perl_bot.pl"),
    ("java, classes", "java", False, "java -cp ../java JavaBot"),
    ("java, a jar, 4 GB of heap", "java", False, "java -Xmx4g -jar ../java/bot.jar"),
    ("go", "go", False, "../go/bot"),
    ("c#, mono", "csharp", False, "mono ../csharp/bot.exe"),
    ("c++, LD_LIBRARY_PATH", "cpp", False, "../cpp/bot", 'env = { LD_LIBRARY_PATH = "../cpp/lib" }'),
    ("c++, rpath", "cpp", False, "../cpp/bot-rpath"),
]

# These need what no bot has unless its tournament file says so.
NEEDING = [
    (f"python that needs: {need}", "python", False, f"{PYTHON} needs_bot.py {need}", 'dir = "../python"')
    for need in ["read", "write", "temporary", "network", "memory", "threads", "files", "shared"]
] + [
    (f"{kind} that needs: {need}", folder, False, f"{command} {need}", f'dir = "../{folder}"')
    for kind, folder, command in [
        ("node", "node", "node src/node_bot.js"),
        ("perl", "perl", "perl perl_bot.pl"),
        ("java", "java", "java JavaBot"),
        ("go", "go", "./bot"),
        ("c#", "csharp", "mono bot.exe"),
        ("c++", "cpp", "./bot-rpath"),
    ]
    for need in ["read", "write"]
]

WAYS = ["auto", "auto, no bubblewrap", "portable", "off"]


class Person:
    """Somebody who holds leagues: who, and where the bots lie."""

    def __init__(self, work, packages, name, uid, mode):
        self.name, self.uid, self.bin = name, uid, work / "bin"
        base = work / re.sub(r"\W+", "-", name)
        self.home = base / "home"
        self.cup = base / "home" / "project" / "cup" if mode == 0o700 else base / "project" / "cup"
        self.home.mkdir(parents=True)
        shutil.copytree(work / "project", self.cup.parent, symlinks=True)
        self.cup.mkdir()
        (self.cup.parent / "elsewhere").mkdir()
        (self.cup.parent / "elsewhere" / "weights.bin").write_bytes(b"x" * 1000)
        if packages:
            found = next((self.cup.parent / "venv" / "lib").glob("python*"))
            shutil.copytree(found, self.home / ".local" / "lib" / found.name, symlinks=True)
        self.home.chmod(0o700)
        if uid:
            subprocess.run(["chown", "-R", f"{uid}:{uid}", base], check=True)

    def run(self, way, bot, cures, time_file):
        """Plays two games; returns how it went."""
        _, _, _, command, *more = bot
        top = [cure for cure in cures if cure.startswith("sandbox")]
        own = [cure for cure in cures if not cure.startswith("sandbox")]
        sandbox = way.split(",")[0]
        lines = ["version = 1", 'game = "quixo"', "options = { size = 3, max_plies = 12 }", 'movetime = "5s"']
        lines += top or [f'sandbox = "{sandbox}"']
        lines += ["[[bots]]", 'name = "honest"', f"command = {json.dumps(command)}", *more, *own]
        lines += ["[[bots]]", 'name = "other"', 'command = "linesman bot random"', ""]
        file = self.cup / "cup.toml"
        file.write_text("\n".join(lines))
        out = self.cup / "out"
        shutil.rmtree(out, ignore_errors=True)
        path = PATH
        if "no bubblewrap" in way and 'install `bubblewrap`' not in cures:
            path = f"{self.bin}/too-old:{PATH}"
        user = {"user": self.uid, "group": self.uid, "extra_groups": []} if self.uid else {}
        played = subprocess.run(
            [self.bin / "linesman", "league", "run", "--verbose", file, "--out", out],
            env={"PATH": path, "HOME": str(self.home), "LANG": "C.UTF-8"},
            cwd=self.cup,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            **user,
        )
        return Played(played, out / "games.jsonl")


class Played:
    """How two games went."""

    def __init__(self, played, records):
        self.text = played.stderr
        lines = records.read_text().splitlines() if records.is_file() else []
        games = [json.loads(line) for line in lines]
        faults = [fault for game in games for fault in game.get("faults", [])]
        self.is_well = played.returncode == 0 and len(games) >= 2 and not faults
        hints = re.findall(r"hint: (.*)", self.text)
        self.hints = [hint for hint in hints if "--keep-going" not in hint and "flush" not in hint]
        tried = re.search(r"tried in ([0-9.]+) s", self.text)
        self.start = float(tried[1]) if tried else None
        held = re.search(r"^.*sandbox: (.*)$", self.text, re.MULTILINE)
        self.held = held[1] if held else ""

    def cure(self, known):
        """The next line that it is told to write, which it does not have yet."""
        for hint in self.hints:
            for cure in re.findall(r"`([^`]*)`", hint):
                is_line = re.match(r"(read|scratch|limits|sandbox) = (?!.*\.\.\.)", cure)
                if is_line and cure not in known:
                    return cure
        return None


def try_bot(person, way, bot):
    """What came of one bot in one way: a word, the cures, the time of a good start."""
    cures, first = [], None
    while True:
        played = person.run(way, bot, cures, None)
        first = first or played
        if played.is_well:
            word = "diagnosed" if cures else "unnoticed"
            return word, cures, first, played
        cure = played.cure(cures)
        if cure is None or len(cures) == MOST_CURES:
            return "NOT DIAGNOSED" if not played.hints else "NOT CURED", cures, first, played
        if cure.startswith("limits"):
            cures = [known for known in cures if not known.startswith("limits")]
        cures = cures + [cure]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--packages", required=True)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    work, packages = arguments.work, arguments.packages == "yes"
    too_old = work / "bin" / "too-old"
    too_old.mkdir()
    (too_old / "bwrap").write_text("#!/bin/sh\necho bubblewrap 0.1.0\n")
    (too_old / "bwrap").chmod(0o755)

    if os.getuid() == 0:
        people = [("root", 0, 0o755), ("root, a folder of mode 0700", 0, 0o700), ("a user", USER, 0o700)]
    else:
        print("skipped: as root and as another user, for this is not run as root")
        people = [("a user", 0, 0o700)]
    bots = [
        bot
        for bot in HONEST + NEEDING
        if (work / "project" / bot[1]).is_dir()
        and (packages or not bot[2])
        and (not arguments.names or any(name in bot[0] for name in arguments.names))
    ]
    bad, rows = [], []
    for name, uid, mode in people:
        person = Person(work, packages, name, uid, mode)
        told = set()
        for bot in bots:
            base = None
            for way in reversed(WAYS):
                word, cures, first, last = try_bot(person, way, bot)
                if way not in told:
                    told.add(way)
                    print(f"--- {name}; {way}: {first.held}", flush=True)
                start = "" if last.start is None else f"{last.start * 1000:.0f} ms"
                if way == "off" and not cures:
                    base = last.start
                elif base is not None and last.start is not None:
                    start += f" ({(last.start - base) * 1000:+.0f})"
                print(f"{bot[0]:30} {way:20} {word:13} {start:18} {'; '.join(cures)}", flush=True)
                is_needed = bot in HONEST and way == "auto" and word == "diagnosed" and "bubblewrap" in last.held
                if word not in ("unnoticed", "diagnosed") or is_needed:
                    bad.append((name, bot[0], way))
                    print("\n".join("    " + line for line in last.text.splitlines()), flush=True)
    for name, bot, way in bad:
        print(f"error: {bot}, played by {name} with {way}: noticed for no good reason, or not told how to cure it")
    return 1 if bad else 0


sys.exit(main())
