/* A program that uses wide characters: all its streams stay the C library's. */
#include "stream_beside.h"

#include <locale.h>
#include <wchar.h>

static void by_locale(void)
{
	wchar_t line[32];

	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return;
	stream = fopen("wide1", "w,ccs=UTF-8");
	SEE(stream != NULL);
	SEE(fwide(stream, 0) > 0);
	SEE(fputws(L"wide \u00e9\n", stream));
	SEE(fclose(stream));
	look("wide1");
	stream = fopen("wide2", "w+");
	SEE(fwide(stream, 1) > 0);
	SEE(fputws(L"wide \u00e9, too\n", stream));
	SEE(fwprintf(stream, L"%d\n", 17));
	rewind(stream);
	SEE(fgetws(line, 32, stream) != NULL);
	say("%ls", line);
	SEE(fclose(stream));
	look("wide2");
	stream = fopen("wide2", "r");
	SEE((long long)fgetwc(stream));
	SEE(fclose(stream));
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	outside_begin();
	stream = fopen("wide", "w");
	SEE(fputws(L"wide", stream));
	SEE(fclose(stream));
	look("wide");
	streams_beside();
	by_locale();
	return 0;
}
