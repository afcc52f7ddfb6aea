#!/usr/bin/env python3
"""A slow and lossy line to a network namespace of this machine, for timing what goes over ssh.

    slow_line.py NAMESPACE MILLISECONDS PERCENT

Makes the namespace, which is 10.78.0.2 from here and has this side as 10.78.0.1, and hands packets to and fro until it
is ended; then the namespace goes. A round trip takes the milliseconds, and that share of round trips is lost. Needs root
and iproute2; unlike tc's netem it needs no module of the kernel but tun.
"""

import fcntl
import heapq
import os
import random
import select
import signal
import struct
import subprocess
import sys
import time

TUNSETIFF, TUN, NO_INFO = 0x400454CA, 0x0001, 0x1000
NEAR, FAR = "10.78.0.1", "10.78.0.2"
PACKET = 1 << 16


def ip(*words, namespace=None):
    inside = ["ip", "netns", "exec", namespace] if namespace else []
    subprocess.run([*inside, "ip", *words], check=True)


def tunnel(name):
    end = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(end, TUNSETIFF, struct.pack("16sH", name.encode(), TUN | NO_INFO))
    return end


def connect(namespace):
    """File descriptors of both ends."""
    ends = tunnel("hs-near"), tunnel("hs-far")
    ip("netns", "add", namespace)
    ip("link", "set", "hs-far", "netns", namespace)
    ip("addr", "add", f"{NEAR}/24", "dev", "hs-near")
    ip("link", "set", "hs-near", "up")
    ip("addr", "add", f"{FAR}/24", "dev", "hs-far", namespace=namespace)
    ip("link", "set", "hs-far", "up", namespace=namespace)
    ip("link", "set", "lo", "up", namespace=namespace)
    return ends


def relay(ends, delay, loss):
    """Packets leave at the other end `delay` seconds after they came, but for the share `loss`."""
    other = dict(zip(ends, reversed(ends)))
    waiting = []  # (when, number, end, packet)
    number = 0
    while True:
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            _, _, end, packet = heapq.heappop(waiting)
            os.write(end, packet)
        readable, _, _ = select.select(ends, [], [], max(0, waiting[0][0] - now) if waiting else None)
        for end in readable:
            packet = os.read(end, PACKET)
            if random.random() >= loss:
                number += 1
                heapq.heappush(waiting, (time.monotonic() + delay, number, other[end], packet))


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    namespace, milliseconds, percent = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    ends = connect(namespace)
    try:
        relay(ends, milliseconds / 2000, 1 - (1 - percent / 100) ** 0.5)
    finally:
        ip("netns", "delete", namespace)


if __name__ == "__main__":
    main()
