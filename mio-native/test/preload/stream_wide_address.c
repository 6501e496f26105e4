/* A program that calls a wide-character function by its address: all its streams stay the C library's. */
#include "stream_beside.h"

#include <wchar.h>

int main(int argc, char **argv)
{
	wint_t (*volatile put)(wchar_t, FILE *) = fputwc;

	begin(argc, argv);
	outside_begin();
	stream = fopen("wide", "w");
	SEE(fputwc(L'w', stream) == L'w');
	SEE(put(L'x', stream) == L'x');
	SEE(fclose(stream));
	look("wide");
	streams_beside();
	return 0;
}
