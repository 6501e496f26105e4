#include "os_release.h"

#include <sys/utsname.h>

#include "../common/raw.h"

int mio_os_release(void)
{
	struct utsname kernel;
	int numbers[2] = {0, 0};
	const char *at = kernel.release;

	if (mio_raw1(SYS_uname, &kernel) < 0)
		return 0;
	for (int i = 0; i < 2; i++) {
		while (*at >= '0' && *at <= '9' && numbers[i] < 1000)
			numbers[i] = numbers[i] * 10 + (*at++ - '0');
		at += *at == '.';
	}
	return MIO_OS_RELEASE(numbers[0], numbers[1]);
}
