/* A program with wide characters: all its streams stay the C library's. */
#include "stream_beside.h"

#include <wchar.h>

int main(int argc, char **argv)
{
	begin(argc, argv);
	outside_begin();
	stream = fopen("wide", "w");
	SEE(fputws(L"wide", stream));
	SEE(fclose(stream));
	look("wide");
	streams_beside();
	return 0;
}
