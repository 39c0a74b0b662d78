"""Python that writes in its scratch folder: temporary files, copies, locks, a database."""

import fcntl
import mmap
import os
import pathlib
import shutil
import sqlite3
import tempfile

from ugi import play


def write(folder):
    path = folder / "log"
    with path.open("w+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        fcntl.lockf(file, fcntl.LOCK_UN)
        file.write(b"x" * 100_000)
        file.truncate(50_000)
        file.flush()
        os.fsync(file.fileno())
        os.fdatasync(file.fileno())
        os.posix_fallocate(file.fileno(), 0, 60_000)
        os.pwrite(file.fileno(), b"y", 10)
        os.writev(file.fileno(), [b"z", b"z"])
        with mmap.mmap(file.fileno(), 0) as mapped:
            mapped[:3] = b"log"
            mapped.flush()
    path.rename(folder / "old")
    os.replace(folder / "old", path)
    shutil.copyfile(path, folder / "copy")
    (folder / "link").symlink_to("copy")
    os.link(path, folder / "hard")
    os.mkfifo(folder / "pipe")
    os.truncate(folder / "copy", 10)
    (folder / "deep" / "er").mkdir(parents=True)
    with tempfile.NamedTemporaryFile(), tempfile.TemporaryFile() as file:
        file.write(b"x" * 1000)
    shutil.rmtree(folder / "deep")


def choose(moves):
    with tempfile.TemporaryDirectory() as folder:
        write(pathlib.Path(folder))
        base = sqlite3.connect(pathlib.Path(folder) / "moves.db")
        base.execute("pragma journal_mode = wal")
        base.execute("create table moves (move text)")
        with base:
            base.executemany("insert into moves values (?)", [(move,) for move in moves])
        best = base.execute("select max(move) from moves").fetchone()[0]
        base.close()
    return best


play(choose)
