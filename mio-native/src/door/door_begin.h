#ifndef MIO_DOOR_BEGIN_H
#define MIO_DOOR_BEGIN_H

/*
 * mio_door_begin, with what the user is told of it: one line on standard error if the program runs without MIO because of a mistake, or if
 * MIO_PRELOAD has the word print; with the word abort there, or MIO_DEBUG=ABORT, a mistake ends the process with status
 * 255 (reference 1.4 a). who: begins each line. without_rules: as for mio_stacks_begin. Returns 1 if the door is open.
 */
int mio_door_begin_and_tell(char *const *environment, const char *who, int without_rules);

/* One line on standard error. */
void mio_door_tell(const char *who, const char *what, const char *why);

#endif
