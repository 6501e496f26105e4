#include "layer_open.h"

_Thread_local struct mio_open_call mio_open_call = {.fd = -1, .at_position = 0};
