"""Pictures of a folder through gpufilter, by Dask: a process of `gpufilter batch --from -` for each worker, which stays
warm; a name goes in, a line of JSON comes back.

    python dask_batch.py IN OUT STAGES [SCHEDULER]    without SCHEDULER: two workers on this machine"""
import json
import pathlib
import subprocess
import sys

from distributed import Client, get_worker


def filter_picture(name, folder, out, stages):
    worker = get_worker()
    if not hasattr(worker, "gpufilter"):
        words = ["gpufilter", "batch", "--from", "-", "-o", out, "--stages", stages, "--threads", "1", "--progress", "json"]
        worker.gpufilter = subprocess.Popen(words, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    worker.gpufilter.stdin.write(name + "\n")
    worker.gpufilter.stdin.flush()
    return json.loads(worker.gpufilter.stdout.readline())


if __name__ == "__main__":
    folder, out, stages, *address = sys.argv[1:]
    folder, out = pathlib.Path(folder).resolve(), str(pathlib.Path(out).resolve())
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    with Client(*address) if address else Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        answers = client.gather(client.map(filter_picture, names, folder=str(folder), out=out, stages=stages))
    failed = [answer["error"] for answer in answers if answer["status"] == "failed"]
    print(f"{len(answers) - len(failed)} done, {len(failed)} failed", *failed, sep="\n")
    sys.exit(8 if failed else 0)
