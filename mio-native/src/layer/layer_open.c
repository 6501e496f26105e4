#include "layer_open.h"

_Thread_local struct mio_open_call mio_open_call __attribute__((tls_model("initial-exec"))) = {.fd = -1, .at_position = 0};
