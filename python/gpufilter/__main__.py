"""python -m gpufilter: the program, with its options."""
import os
import sys

PROGRAM = os.path.join(os.path.dirname(__file__), "bin", "gpufilter")


def main():
    """Becomes the program; GPUFILTER_BIN names another one."""
    program = os.environ.get("GPUFILTER_BIN", PROGRAM)
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
