"""What script/mutate tries its changes in: a copy of the project, its builds for the emulated device, and what
the test programs do there where nothing is wrong."""

import collections
import hashlib
import json
import os
import pathlib
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPIED = ("CMakeLists.txt", "cmake", "kernels", "filters", "pipeline", "tests")
LEFT_OUT = re.compile(r"test_(receipt|io|io_.*|pngsuite|language.*|text|emu_faults|bench_.*)")  # too long, or not about kernels
SMALLER = {  # tests of the slower builds
    "address": {"GF_PASS_CASES": "12", "GPUFILTER_TEST_CHAINS": "8", "GPUFILTER_TEST_SLICE": "1/47"},
    "thread": {"GF_PASS_CASES": "1", "GPUFILTER_TEST_CHAINS": "3", "GPUFILTER_TEST_SLICE": "1/211"},
}
LONGEST = 60  # processor seconds of a case where nothing is wrong
QUICK = 3  # seconds: cases that take longer come later
CAUSES = re.compile(
    r"^not ok \d+ - (.*)|(emulator: [^\n]*)|(AddressSanitizer: \S+)|(runtime error: [^\n]*)"
    r"|(ThreadSanitizer: [^\n(]*)",
    re.M,
)

Case = collections.namedtuple("Case", "program name seconds kernels")  # name: what makes the program run it alone
Build = collections.namedtuple("Build", "dir env commands depends programs cases")


def environment(**more):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("GF_", "GPUFILTER_"))}
    return {
        **kept,
        "GPUFILTER_TEST_CHAINS": "40",
        "ASAN_OPTIONS": "detect_stack_use_after_return=0:allocator_may_return_null=1:detect_leaks=0",
        "UBSAN_OPTIONS": "halt_on_error=1",
        "TSAN_OPTIONS": "halt_on_error=1",
        **more,
    }


def copy_project(tree):
    """Brings the copy up to date; its hash."""
    wanted = [p for name in COPIED for p in ([ROOT / name] if (ROOT / name).is_file() else (ROOT / name).rglob("*"))]
    digest, kept = hashlib.sha256(), set()
    for path in sorted(p for p in wanted if p.is_file()):
        to, data = tree / path.relative_to(ROOT), path.read_bytes()
        digest.update(str(path.relative_to(ROOT)).encode() + data)
        kept.add(to)
        if not to.exists() or to.read_bytes() != data:
            to.parent.mkdir(parents=True, exist_ok=True)
            to.unlink(missing_ok=True)  # other folders may share the old file
            to.write_bytes(data)
    for path in tree.rglob("*"):
        if path.is_file() and path not in kept:
            path.unlink()
    return digest.hexdigest()[:16]


def ninja(directory, *arguments):
    return subprocess.run(["ninja", "-C", directory, *arguments], capture_output=True, text=True, check=True).stdout


def configure(tree, directory, flags, targets):
    """Builds these targets; all, if there are none. False, after saying why, if that cannot be."""
    common = ["-DGPUFILTER_CUDA=EMU", "-DGPUFILTER_SAMPLES=OFF", "-DCMAKE_BUILD_TYPE=None", "-DGPUFILTER_WERROR=OFF"]
    commands = (
        ["cmake", "-S", tree, "-B", directory, "-G", "Ninja", *common, *flags],
        ["ninja", "-C", directory, *targets],
    )
    for command in commands:
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode != 0:
            print("\n".join((run.stdout + run.stderr).splitlines()[-15:]), flush=True)
            return False
    return True


def read_build(tree, directory):
    """How the objects of a build are made, what they include, and how its test programs are linked."""
    commands, depends, programs = {}, {}, {}
    for entry in json.loads((directory / "compile_commands.json").read_text()):
        words = [w.replace(f"{tree}/", "").replace(str(tree), ".") for w in shlex.split(entry["command"])]
        commands[words[words.index("-o") + 1]] = words + ["-w"]
    for line in ninja(directory, "-t", "deps").splitlines():
        if line and not line[0].isspace():
            depends[line.split(":")[0]] = now = set()
        elif line.strip():
            path = pathlib.Path(os.path.normpath(directory / line.strip()))
            if path.is_relative_to(tree):
                now.add(path.relative_to(tree).as_posix())
    for target in re.findall(r"^(test_\w+): \w+_EXECUTABLE_LINKER", ninja(directory, "-t", "targets", "all"), re.M):
        if not LEFT_OUT.fullmatch(target):
            link = ninja(directory, "-t", "commands", target).splitlines()[-1]
            programs[target] = shlex.split(link.removeprefix(": && ").removesuffix(" && :"))
    return Build(directory, SMALLER.get(directory.name, {}), commands, depends, programs, [])


def run_case(tree, program, path, name, limit, **env):
    """Runs one case. (None if it passes, else why not; seconds)."""
    begin = time.monotonic()
    argument = tree / "tests/oracle" if program == "test_oracle" else name
    child = subprocess.Popen(
        [path, argument] if argument else [path],
        cwd=tree,
        env=environment(**env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    resource.prlimit(child.pid, resource.RLIMIT_CPU, (limit, limit + 1))
    try:
        text = child.communicate(timeout=30 + 5 * limit)[0].decode(errors="replace")
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        return "time limit", time.monotonic() - begin
    cause = CAUSES.search(text)
    if child.returncode == 0:
        why = None
    elif child.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        why = "time limit"
    elif cause:
        why = next(part for part in cause.groups() if part)
    else:
        why = f"ended with {child.returncode}"
    return why, time.monotonic() - begin


def cases_of(build):
    """(program, case) of all programs that know their cases, (program, None) of the others."""
    for program in build.programs:
        run = subprocess.run([build.dir / program, "--list"], capture_output=True, text=True, env=environment())
        for name in run.stdout.splitlines() if run.returncode == 0 and run.stdout else [None]:
            yield program, name


def measure(tree, build, pool, wanted, must_pass):
    """Runs cases where nothing is wrong: those that pass, with what they take and launch, the quickest first."""
    record = build.dir / "coverage"
    shutil.rmtree(record, ignore_errors=True)
    record.mkdir()

    def one(number, program, name):
        file = record / str(number)
        env = {**build.env, "GF_EMU_COVERAGE": str(file)}
        why, seconds = run_case(tree, program, build.dir / program, name, LONGEST, **env)
        launches = file.read_text().splitlines() if file.exists() else []
        return why, Case(program, name, seconds, sorted({line.split()[2] for line in launches}))

    cases = []
    for why, case in pool.map(lambda numbered: one(numbered[0], *numbered[1]), enumerate(wanted)):
        if not why:
            cases.append(case)
        elif why == "time limit":
            print(f"# left out, too slow here: {case.program} '{case.name or ''}'", flush=True)
        elif must_pass:
            sys.exit(f"mutate: {case.program} '{case.name or ''}' fails with nothing changed: {why}")
    return sorted(cases, key=lambda case: case.seconds)


def prepare(work, pool):
    """Builds, once, what changes are tried in: {"plain": Build, "address": Build, ["thread": Build]}."""
    tree, builds = work / "tree", {}
    state = copy_project(tree)
    optimised = ["-DCMAKE_C_FLAGS=-O2", "-DCMAKE_CXX_FLAGS=-Og"]
    clang = ["-DCMAKE_C_COMPILER=clang", "-DCMAKE_CXX_COMPILER=clang++"]
    wanted = {
        "plain": optimised,
        "address": [*optimised, "-DGPUFILTER_SANITIZE=address,undefined"],
        "thread": [*optimised, "-DGPUFILTER_SANITIZE=thread", *clang] if shutil.which("clang++") else None,
    }
    for name, flags in wanted.items():
        if not flags:
            print("# no clang++: nothing is tried under ThreadSanitizer", flush=True)
            continue
        directory, begin = work / name, time.monotonic()
        stamp = directory / "cases.json"
        known = json.loads(stamp.read_text()) if stamp.exists() else {"state": None}
        plain = builds["plain"].cases if builds else []
        sanitized = [(case.program, case.name) for case in plain if case.kernels]
        if known["state"] != state:
            if not configure(tree, directory, flags, sorted({program for program, _ in sanitized})):
                sys.exit(f"mutate: the {name} build fails")
            shutil.rmtree(directory / "reference", ignore_errors=True)
            build = read_build(tree, directory)
            cases = measure(tree, build, pool, sanitized or list(cases_of(build)), name != "thread")
            known = {"state": state, "cases": cases}
            stamp.write_text(json.dumps(known))
            seconds = time.monotonic() - begin
            print(f"# {name} build: {len(cases)} cases, made and measured in {seconds:.0f} s", flush=True)
        builds[name] = read_build(tree, directory)._replace(cases=[Case(*case) for case in known["cases"]])
    return builds
