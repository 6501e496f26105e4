import os
fd = os.open("ledger.dat", os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o644)
for i in range(20000): os.write(fd, b"x" * 120)
for i in range(20): os.fsync(fd)
for i in range(19999, -1, -1): os.pread(fd, 120, i * 120)
os.close(fd)
fd = os.open("matrix.dat", os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o644)
os.write(fd, b"y" * (8 << 20))
for _ in range(3):
    for i in range(0, 8 << 20, 16384): os.pread(fd, 8192, i)
import random
random.seed(1)
for _ in range(2000): os.pread(fd, 4096, random.randrange(0, 2000) * 4096)
for _ in range(5):
    try: os.pwrite(fd, b"z", -1)
    except OSError: pass
    try: os.read(os.open("matrix.dat", os.O_WRONLY), 10)
    except OSError: pass
for i in range(150):
    f = os.open("index.dat", os.O_RDWR | os.O_CREAT, 0o644); os.write(f, b"abc"); os.close(f)
