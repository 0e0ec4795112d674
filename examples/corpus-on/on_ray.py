# Ray: python3 on_ray.py RUNS SHARDS TOP OUTPUT, with paths that all nodes share (syntax checked, not run)
import os, shlex, subprocess, sys
import ray
runs, shards, top, output = sys.argv[1:]
kp, work, here = shlex.split(os.environ.get("KP", "kp")), f"{output}.corpus", os.getcwd()
def stage(*words):
    # Exit status 3 means that a line of the recordings was not a run, and the rest was read.
    done = subprocess.run([*kp, "corpus", *words], cwd=here)
    if done.returncode not in (0, 3): raise RuntimeError(done)
ray.init(address="auto")
def each(*words):
    task = ray.remote(max_retries=3, retry_exceptions=True)(stage)
    ray.get([task.remote(*words, "--shard", str(i), "--of", shards) for i in range(int(shards))])
each("map", runs, "-o", work), stage("plan", work, "--top", top)
each("cell", work), stage("merge", work, "-o", output)
