"""Python that needs a permission that bots lack by default, named by its first argument."""

import os
import socket
import sys
import tempfile
import threading
import time

from ugi import play

kept = []


def read():
    open("../elsewhere/weights.bin", "rb").read()


def write():
    open("bot.log", "a").write("started\n")


def temporary():
    with tempfile.TemporaryFile() as file:
        file.write(b"x" * 1_000_000)


def network():
    listener = socket.create_server(("127.0.0.1", 0))
    socket.create_connection(listener.getsockname(), timeout=1)


def memory():
    kept.append(bytearray(os.urandom(1000)) * 1_300_000)


def threads():
    stop = threading.Event()
    for _ in range(150):
        threading.Thread(target=stop.wait, daemon=True).start()
    kept.append(stop)


def files():
    kept.extend(open("/dev/null") for _ in range(300))


globals()[sys.argv[1]]()
time.sleep(0.2)
play(lambda moves: moves[0])
