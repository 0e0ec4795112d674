# Spark: spark-submit on_spark.py RUNS SHARDS TOP OUTPUT, with paths that all nodes share (syntax checked, not run)
import os, shlex, subprocess, sys
from pyspark.sql import SparkSession
runs, shards, top, output = sys.argv[1:]
kp, work = os.environ.get("KP", "kp"), f"{output}.corpus"
context = SparkSession.builder.getOrCreate().sparkContext
def each(words):
    # Each partition has one number. Exit status 3 means that a line of the recordings was not a run.
    shell = f"cd {shlex.quote(os.getcwd())} && read shard; {kp} corpus {words} --shard $shard --of {shards} >&2 || [ $? -eq 3 ]"
    numbers = context.parallelize(range(int(shards)), int(shards))
    numbers.pipe(shlex.join(["sh", "-c", shell]), checkCode=True).collect()
def stage(*words):
    if subprocess.run([*shlex.split(kp), "corpus", *words]).returncode not in (0, 3): raise RuntimeError(words)
each(f"map {shlex.quote(runs)} -o {shlex.quote(work)}"), stage("plan", work, "--top", top)
each(f"cell {shlex.quote(work)}"), stage("merge", work, "-o", output)
