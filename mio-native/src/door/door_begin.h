#ifndef MIO_DOOR_BEGIN_H
#define MIO_DOOR_BEGIN_H

/*
 * mio_door_begin, and what the user is told of it. One line on standard error if a mistake makes the program run without MIO, or if
 * MIO_PRELOAD has the word print. With the word abort there, or with MIO_DEBUG=ABORT, a mistake ends the process with status 255
 * (reference 1.4 a). who: begins each line. without_rules: as for mio_stacks_begin. Returns 1 if the door is open.
 */
int mio_door_begin_and_tell(char *const *environment, const char *who, int without_rules);

/* Writes one line to standard error: who, a colon, what and why. */
void mio_door_tell(const char *who, const char *what, const char *why);

#endif
