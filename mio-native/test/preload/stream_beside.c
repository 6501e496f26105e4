/* Under pf/auto, streams that read a small file have no layers. */
#include "stream_beside.h"

int main(int argc, char **argv)
{
	begin(argc, argv);
	outside_begin();
	streams_beside();
	return 0;
}
