"""Python with an array shared by its processes."""

import multiprocessing.shared_memory

from ugi import play

size = 12_000_000
array = multiprocessing.shared_memory.SharedMemory(create=True, size=size)
array.buf[:] = b"x" * size

play(lambda moves: moves[array.buf[size - 1] % len(moves)])
array.close()
array.unlink()
