#!/usr/bin/env python3
"""Writes src/cli/licences.txt: the libraries in the program, by Cargo.lock, with their licences and the texts of these,
each text once, and the licence of the fonts. Usage: scripts/licences.py [--check]"""

import json
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
FILE = TOP / "src/cli/licences.txt"
OWN = "splitpoint"
# Files that hold a licence, by the beginnings of their names.
NAMES = ("LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE", "COPYRIGHT")


def of_program(metadata):
    """Packages that the program is built from, for any system, in the order of their names."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    packages = {package["id"]: package for package in metadata["packages"]}
    (root,) = (id for id, package in packages.items() if package["name"] == OWN)
    reached, waiting = set(), [root]
    while waiting:
        node = nodes[waiting.pop()]
        for dependency in node["deps"]:
            kinds = {kind["kind"] for kind in dependency["dep_kinds"] if kind["target"] != "cfg(loom)"}
            # `None` is a normal dependency; the others are of builds and tests.
            if None in kinds and dependency["pkg"] not in reached:
                reached.add(dependency["pkg"])
                waiting.append(dependency["pkg"])
    found = (packages[id] for id in reached)
    others = (package for package in found if not package["name"].startswith(OWN))
    return sorted(others, key=lambda package: (package["name"], package["version"]))


def texts(package):
    """Texts of the licences that lie in the folder of a package, by the names of their files."""
    folder = pathlib.Path(package["manifest_path"]).parent
    for file in sorted(folder.iterdir()):
        if file.is_file() and file.name.upper().startswith(NAMES):
            yield file.read_text(errors="replace").replace("\r\n", "\n").strip()


def main():
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    metadata = json.loads(subprocess.run(command, cwd=TOP, check=True, capture_output=True).stdout)
    packages = of_program(metadata)
    lines, by_text = [], {}
    for package in packages:
        name = f"{package['name']} {package['version']}"
        lines.append(f"{name}, {package['license'] or 'see its text'}")
        for text in texts(package):
            # The same words in other lines are the same text.
            key = re.sub(r"\s+", " ", text)
            by_text.setdefault(key, (text, []))[1].append(name)
    lines.append("fonts of the charts, OFL-1.1")
    parts = ["\n".join(lines)]
    for text, names in by_text.values():
        parts.append(f"== {', '.join(names)}\n\n{text}")
    parts.append(f"== Fonts\n\n{(TOP / 'src/report/charts/font/OFL.txt').read_text().strip()}")
    made = "\n\n".join(parts) + "\n"
    if "--check" in sys.argv[1:]:
        if FILE.read_text() != made:
            sys.exit(f"{FILE} is not of Cargo.lock: run scripts/licences.py")
        return
    FILE.write_text(made)
    print(f"{len(packages)} libraries, {len(by_text)} texts, {len(made) // 1024} KiB")


if __name__ == "__main__":
    main()
