"""Python that starts and stops child processes and talks to them through pipes."""

import multiprocessing
import signal
import subprocess
import sys

from ugi import play


def serve(pipe):
    while True:
        pipe.send(max(pipe.recv()))


def choose(moves):
    ours.send(moves)
    move = ours.recv()
    counted = subprocess.run([sys.executable, "-c", "print(7)"], capture_output=True, check=True, text=True)
    assert counted.stdout == "7\n"
    sleeper = subprocess.Popen(["sleep", "60"])
    sleeper.send_signal(signal.SIGTERM)
    assert sleeper.wait() == -signal.SIGTERM
    return move


if __name__ == "__main__":
    ours, theirs = multiprocessing.Pipe()
    child = multiprocessing.Process(target=serve, args=(theirs,), daemon=True)
    child.start()
    play(choose)
    child.terminate()
