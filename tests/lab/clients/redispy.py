# redispy.py - redis-py's RedisCluster, logging as its manual has it.
#
# As all programs here: arguments are nodes; a key of a slot that scenarios play
# with is read (those slots must stay empty) or another one written, LAB_RATE times
# a second; what the library raises is logged, and told to the file LAB_RAISED:
# began, raised, logged, key, text.
import logging
import os
import random
import signal
import sys
import threading
import time

import redis
from redis.cluster import ClusterNode, RedisCluster

PROBES = ["probe:1:%d" % n for n in (6, 13, 17, 22, 26, 31)]
log = logging.getLogger("app")
raised = open(os.environ["LAB_RAISED"], "a", buffering=1)
stopped = threading.Event()


def now():
    t = time.time_ns() // 1000000
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(t // 1000)) + ".%03dZ" % (t % 1000)


def main():
    logging.basicConfig(stream=sys.stdout, level=logging.INFO,
                        format="%(asctime)s %(levelname)s [%(name)s] %(message)s")
    for s in (signal.SIGTERM, signal.SIGINT):
        signal.signal(s, lambda *_: stopped.set())
    log.info("redis-py %s", redis.__version__)
    nodes = [ClusterNode(*a.rsplit(":", 1)) for a in sys.argv[1:]]
    client = RedisCluster(startup_nodes=nodes, socket_timeout=1, socket_connect_timeout=1)
    raised.write("ready\n")
    while not stopped.wait(1 / float(os.environ.get("LAB_RATE", 15))):
        probe = random.random() < .5
        key = random.choice(PROBES) if probe else "cart:%d" % random.randrange(150)
        began = now()
        try:
            client.get(key) if probe else client.set(key, began)
        except Exception as e:
            at = now()
            log.exception("command on key %s failed", key)
            text = "%s: %s" % (type(e).__name__, e)
            raised.write("\t".join((began, at, now(), key, " ".join(text.split()))) + "\n")


main()
