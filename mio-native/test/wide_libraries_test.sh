#!/bin/sh
# Some libraries offer a function for wide characters, and use wide-character functions of the C library only for it.
# Streams of programs that do not call that function keep their layers. Such libraries are libbsd, which comes with X11,
# and libquadmath, with Fortran.
. test/preloaded.sh

# library NAME FUNCTION: makes a library that offers this function for wide characters.
library() {
    cat >"$work/library.c" <<END
#include <wchar.h>

wchar_t *$2(FILE *stream, size_t *length);
wchar_t *$2(FILE *stream, size_t *length)
{
	static wchar_t line[8];

	line[0] = (wchar_t)fgetwc(stream);
	*length = putwc(line[0], stdout) != WEOF;
	return line;
}
END
    ${CC:-cc} -shared -fPIC -include stdio.h -Wl,-soname,"$1" -o "$work/$1" "$work/library.c" || exit 1
}
library libbsd.so.0 fgetwln
library libquadmath.so.0 shown_wide
library libother.so.0 other_wide

cat >"$work/writes.c" <<'END'
#include <stdio.h>
#include <wchar.h>

wchar_t *fgetwln(FILE *stream, size_t *length);

int main(int count, char **words)
{
	FILE *stream = fopen(words[count - 1], "w");
	size_t length = 0;

	if (fputs("line\n", stream) < 0 || fclose(stream) != 0)
		return 1;
#ifdef WIDE
	stream = fopen(words[count - 1], "r");
	if (*fgetwln(stream, &length) != L'l' || fclose(stream) != 0)
		return 1;
#endif
	return length > 1;
}
END
export MIO_FILES="$work/data [ trace/stats ]" MIO_STATS="$work/report.jsonl" LD_LIBRARY_PATH="$work"

# writes NAME OPTION...: links a program with library NAME and runs it; prints the bytes of the stream that its report
# has.
writes() {
    name=$1
    shift
    ${CC:-cc} -Wl,--no-as-needed "$@" -o "$work/writes" "$work/writes.c" "$work/$name" || exit 1
    rm -f "$work/report.jsonl"
    LD_PRELOAD=$library "$work/writes" "$work/data" >/dev/null || fail "$name $*: the program failed"
    [ ! -f "$work/report.jsonl" ] || grep -o '"write":{[^}]*"delivered_bytes":[0-9]*' "$work/report.jsonl" | sed 's/.*://'
}

for name in libbsd.so.0 libquadmath.so.0; do
    bytes=$(writes $name)
    [ "${bytes:-0}" -eq 5 ] || fail "$name: the report has ${bytes:-no} bytes written of a stream, not 5"
done
for name in libbsd.so.0 libother.so.0; do
    define=
    [ $name = libother.so.0 ] || define=-DWIDE
    bytes=$(writes $name $define)
    [ "${bytes:-0}" -eq 0 ] || fail "$name: the stream of a program with wide characters has layers"
done

exit $failed
