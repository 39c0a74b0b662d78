"""Python with much of its standard library: threads, timers, child processes, pipes, memory, files."""

import asyncio
import concurrent.futures
import ctypes
import gc
import mmap
import multiprocessing
import os
import random
import resource
import secrets
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid

from ugi import play


def with_threads():
    rung = threading.Event()
    threading.Timer(0.01, rung.set).start()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(len, ["a"] * 50)) == 50
    assert rung.wait(10) and not threading.Event().wait(0.001)


def with_children():
    assert subprocess.run(["echo", "7"], stdout=subprocess.PIPE, cwd="/", check=True).stdout == b"7\n"
    ours, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        theirs.sendall(b"7")
        os._exit(7)
    with selectors.DefaultSelector() as selector:
        selector.register(ours, selectors.EVENT_READ)
        assert selector.select(10) and ours.recv(1) == b"7"
    assert os.waitpid(child, 0)[1] == 7 << 8
    ours.close()
    theirs.close()
    started = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(0.01,))
    started.start()
    started.join()
    assert started.exitcode == 0


def with_signals():
    caught = []
    signal.signal(signal.SIGALRM, lambda *_: caught.append(1))
    signal.setitimer(signal.ITIMER_REAL, 0.005)
    signal.pause()
    os.kill(os.getpid(), signal.SIGALRM)
    signal.raise_signal(signal.SIGALRM)
    assert len(caught) == 3


async def together():
    child = await asyncio.create_subprocess_exec("cat", stdin=-1, stdout=-1)
    assert (await asyncio.wait_for(child.communicate(b"7"), 10))[0] == b"7"
    await asyncio.gather(*(asyncio.sleep(0.001 * number) for number in range(5)))
    assert await asyncio.get_running_loop().run_in_executor(None, max, 3, 7) == 7


def with_memory():
    kept = [bytes(1000) for _ in range(30_000)] + [bytearray(30_000_000)]
    shared, private = mmap.mmap(-1, 1 << 20), mmap.mmap(-1, 1 << 24, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    shared[:4] = private[:4] = b"seat"
    private.resize(1 << 25) if sys.version_info >= (3, 13) else None
    with open(__file__, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
        text.madvise(mmap.MADV_WILLNEED) if hasattr(text, "madvise") else None
        assert text.find(b"mmap") > 0 and ctypes.CDLL(None).getpid() == os.getpid()
    del kept
    gc.collect()


def with_system():
    here = os.path.dirname(os.path.abspath(__file__))
    assert "ugi.py" in os.listdir(here) and os.path.realpath(here) and os.stat(__file__).st_size and os.statvfs(here)
    assert [entry for entry in os.scandir(here) if entry.is_file()] and os.access(__file__, os.R_OK)
    assert secrets.token_hex() and uuid.uuid4() and random.SystemRandom().random() < 1
    assert time.time() and time.perf_counter() and time.process_time() and time.thread_time() and time.localtime()
    assert os.cpu_count() and os.getloadavg() and os.uname() and os.times()
    assert resource.getrusage(resource.RUSAGE_SELF) and resource.getrlimit(resource.RLIMIT_NOFILE)
    if sys.implementation.name == "cpython":
        assert os.getrandom(8) and os.sched_getaffinity(0)
        os.sched_yield()


def choose(moves):
    with_threads()
    with_children()
    with_signals()
    asyncio.run(together())
    with_memory()
    with_system()
    return random.choice(moves)


if __name__ == "__main__":
    play(choose)
