# Dask: python3 on_dask.py SCHEDULER RUNS SHARDS TOP OUTPUT, with paths that all workers share
import os, shlex, subprocess, sys
from distributed import Client
scheduler, runs, shards, top, output = sys.argv[1:]
kp, work, here = shlex.split(os.environ.get("KP", "kp")), f"{output}.corpus", os.getcwd()
def stage(*words):
    # Exit status 3 means that a line of the recordings was not a run, and the rest was read.
    done = subprocess.run([*kp, "corpus", *words], cwd=here)
    if done.returncode not in (0, 3): raise RuntimeError(done)
with Client(scheduler) as client:
    def each(*words):
        shares = [[*words, "--shard", str(shard), "--of", shards] for shard in range(int(shards))]
        client.gather([client.submit(stage, *share, retries=3, pure=False) for share in shares])
    each("map", runs, "-o", work), stage("plan", work, "--top", top)
    each("cell", work), stage("merge", work, "-o", output)
