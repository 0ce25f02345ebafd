"""How long requests wait while many clients search: a load for `phocus serve`.

    python3 benches/load.py ADDRESS TOPICS.xml [--searchers 300] [--k 1000] [--seconds 30]

Clients search for the topics without a pause, each with a connection of its own; other clients
type the same topics, a completion for each beginning, and ask for previews and for /healthz.
The searching clients run in a process of their own at the lowest priority, because they share
the machine with the server: what is measured is the server's waiting, not theirs. One line for
each kind of request is printed: how many, times in milliseconds, and the statuses.
"""

import argparse
import asyncio
import collections
import json
import multiprocessing
import os
import random
import time
import urllib.parse
import xml.etree.ElementTree as xml


async def request(connection, address, target):
    """Asks on a connection that is kept, and gives the connection, the status and the size."""
    if connection is None:
        host, port = address.split(":")
        connection = await asyncio.open_connection(host, int(port), limit=1 << 20)
    reader, writer = connection
    writer.write(f"GET {target} HTTP/1.1\r\nHost: {address}\r\n\r\n".encode())
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    status = int(head.split()[1])
    length = int(head.split("content-length:")[1].split()[0])
    await reader.readexactly(length)
    if "connection: close" in head:
        writer.close()
        connection = None
    return connection, status, length


async def client(targets, pause, end, address, seen):
    """Asks for one target after the other until the end."""
    connection = None
    for target in targets:
        now = time.monotonic()
        if now > end:
            return
        try:
            connection, status, _ = await request(connection, address, target)
        except (OSError, asyncio.IncompleteReadError) as error:
            connection, status = None, type(error).__name__
        seen.append((time.monotonic() - now, status))
        if status != 200:
            await asyncio.sleep(1)
        await asyncio.sleep(pause * random.uniform(0.5, 1.5))


def endless(path, texts, more=""):
    while True:
        text = random.choice(texts)
        yield f"{path}?q={urllib.parse.quote(text, safe='')}{more}"


def typed(latex):
    """Each formula as it is typed, character by character."""
    while True:
        text = random.choice(latex)
        for end in range(1, len(text) + 1):
            yield f"/api/complete?q={urllib.parse.quote(text[:end], safe='')}"


def run(clients, address, end):
    """Runs clients, each a kind with its targets and its pause, and gives what each kind saw."""
    async def all_of_them():
        seen = collections.defaultdict(list)
        work = [client(t, pause, end, address, seen[kind]) for kind, t, pause in clients]
        await asyncio.gather(*work)
        return seen
    return asyncio.run(all_of_them())


def search(args, latex, end, answers):
    os.nice(19)
    targets = [endless("/api/search", latex, f"&k={args.k}") for _ in range(args.searchers)]
    answers.put(dict(run([("search", t, 0) for t in targets], args.address, end)))


def shown(kind, seen, seconds):
    times = sorted(1000 * took for took, status in seen if status == 200)
    statuses = dict(collections.Counter(str(status) for _, status in seen))
    if not times:
        return f"| {kind} | 0 | | | | | {json.dumps(statuses)} |"
    at = lambda share: times[min(len(times) - 1, int(share * len(times)))]
    rate = len(times) / seconds
    return (f"| {kind} | {rate:.1f} | {at(0.5):.1f} | {at(0.95):.1f} | {at(0.99):.1f} "
            f"| {times[-1]:.0f} | {json.dumps(statuses)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("address")
    parser.add_argument("topics")
    parser.add_argument("--searchers", type=int, default=300)
    parser.add_argument("--typists", type=int, default=4)
    parser.add_argument("--k", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=30)
    args = parser.parse_args()
    latex = [node.text for node in xml.parse(args.topics).iter("Latex") if node.text]
    end = time.monotonic() + args.seconds
    answers = multiprocessing.Queue()
    searching = multiprocessing.Process(target=search, args=(args, latex, end, answers))
    searching.start()
    clients = [("complete", typed(latex), 0.1) for _ in range(args.typists)]
    clients.append(("render", endless("/api/render", latex), 0.1))
    clients.append(("healthz", iter(lambda: "/healthz", None), 0.1))
    seen = run(clients, args.address, end)
    seen["search"] = answers.get().get("search", [])
    searching.join()
    print("| request | answered a second | median | p95 | p99 | longest | statuses |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for kind, answered in sorted(seen.items()):
        print(shown(kind, answered, args.seconds))


if __name__ == "__main__":
    main()
