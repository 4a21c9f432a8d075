"""Pictures of a folder through gpufilter, by Ray: an actor for each of WORKERS processors or GPUs, which keeps one warm
process, `gpufilter batch --from -`: a name goes in, a line of JSON comes back.

    python ray_batch.py IN OUT STAGES [WORKERS]"""
import json
import pathlib
import subprocess
import sys

import ray
from ray.util import ActorPool


@ray.remote(num_cpus=1)  # with num_gpus=1, too, Ray sets CUDA_VISIBLE_DEVICES to one for each
class Worker:
    def __init__(self, folder, out, stages):
        words = ["gpufilter", "batch", "--from", "-", "-o", out, "--stages", stages, "--threads", "1", "--progress", "json"]
        self.process = subprocess.Popen(words, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def filter(self, name):
        self.process.stdin.write(name + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


folder, out, stages, *count = sys.argv[1:]
folder, out = pathlib.Path(folder).resolve(), str(pathlib.Path(out).resolve())
names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
ray.init()
workers = [Worker.remote(str(folder), out, stages) for _ in range(int(*count or [2]))]
answers = list(ActorPool(workers).map_unordered(lambda worker, name: worker.filter.remote(name), names))
failed = [answer["error"] for answer in answers if answer["status"] == "failed"]
print(f"{len(answers) - len(failed)} done, {len(failed)} failed", *failed, sep="\n")
sys.exit(8 if failed else 0)
