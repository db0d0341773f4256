"""The program, and the files that it writes."""

import csv
import hashlib
import math
import subprocess
from pathlib import Path


class Fault(Exception):
    """A report that does not say anything about claims: the script or the binary is at fault."""


def output_of(command):
    """What a command prints, which must succeed."""
    run = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if run.returncode != 0:
        raise Fault(f"{' '.join(map(str, command))} ended with {run.returncode}:\n{run.stderr}{run.stdout}")
    return run.stdout + "\n" + run.stderr


def digest(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def rows(path):
    """Rows of a CSV file; none if there is no such file."""
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def number(text):
    return float(text) if text else math.nan
