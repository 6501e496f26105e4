echo "mio run: not in this version" >&2; exit 125
