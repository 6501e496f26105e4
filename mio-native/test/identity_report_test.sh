#!/bin/sh
# A program that begins as root and goes on as another user, or in another root directory, reports to the same file.
# Needs to be root.
. test/preloaded.sh

if [ "$(id -u)" != 0 ] || ! setpriv --reuid 65534 --regid 65534 --clear-groups test -r "$library" 2>/dev/null; then
    echo "skipped: needs root, setpriv and a directory that all may enter"
    exit 77
fi
# Other users must be able to enter the directories that are made here.
umask 022

cat >"$work/becomes.c" <<'END'
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static int reads(const char *name)
{
	char bytes[3];
	int fd = open(name, O_RDONLY);

	return fd >= 0 && read(fd, bytes, sizeof(bytes)) == sizeof(bytes) && close(fd) == 0;
}

/* From here on whoever opens a file by its name, or asks for one, is killed. */
static int opens_no_more(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 1, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_statx, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(filter) / sizeof(*filter), filter};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static volatile sig_atomic_t changes;

static void change(int signal)
{
	(void)signal;
	if (seteuid(65534) < 0 || seteuid(0) < 0)
		abort();
	changes++;
}

/* A handler becomes nobody and root again, whatever the thread is at. */
static int changes_often(void)
{
	struct sigaction action = {.sa_handler = change, .sa_flags = SA_RESTART};
	struct itimerval timer = {{0, 500}, {0, 500}};

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	while (changes < 500)
		if (!reads("a"))
			return 0;
	timer = (struct itimerval){{0, 0}, {0, 0}};
	setitimer(ITIMER_REAL, &timer, NULL);
	return 1;
}

/*
 * becomes WORDS: in turn, a, b read that file, u becomes nobody, e becomes it for now, r is root again, c goes to the root jail, f goes on in a child,
 * x goes on as another program, s has system calls filtered, h reads a while a handler changes the user, k kills itself.
 */
int main(int count, char **words)
{
	(void)count;
	for (const char *word = words[1]; *word; word++) {
		char name[] = {*word, 0};
		int status = 0;

		if ((*word == 'a' || *word == 'b') && !reads(name))
			return 2;
		if (*word == 'u' && setuid(65534) < 0)
			return 3;
		if (*word == 'e' && seteuid(65534) < 0)
			return 4;
		if (*word == 'r' && seteuid(0) < 0)
			return 5;
		if (*word == 'c' && (chroot("jail") < 0 || chdir("/") < 0))
			return 6;
		if (*word == 'f' && fork() != 0)
			return wait(&status) < 0 || status;
		if (*word == 'x')
			return execl("./becomes", "becomes", word + 1, NULL);
		if (*word == 'h' && !changes_often())
			return 8;
		if (*word == 's' && !opens_no_more())
			return 7;
		if (*word == 'k')
			raise(SIGKILL);
	}
	return 0;
}
END
${CC:-cc} -o "$work/becomes" "$work/becomes.c" && ${CC:-cc} -o "$work/sums" test/preload/tools/events.c || exit 1
mkdir "$work/jail" "$work/logs" "$work/public" "$work/theirs"
for name in a b jail/a jail/b; do
    echo "a line that is long enough" >"$work/$name"
done
chmod 755 "$work" "$work/jail" "$work/logs"
chmod 777 "$work/public"
chmod 755 "$work/theirs" "$work/becomes"
chown 65534 "$work/theirs"
cd "$work" || exit 1

# reports DIRECTORY WORDS FILES [RULE]: fails unless the report has exactly these files, in their order.
reports() {
    rm -f "$1/report.jsonl"
    LD_PRELOAD=$library MIO_FILES=${4-* [ trace/stats ]} MIO_STATS="$work/$1/report.jsonl" ./becomes "$2" 2>said ||
        fail "$2 in $1: the program failed: $?"
    [ -s said ] && fail "$2 in $1: $(cat said)"
    files=$(sed -n 's/.*"type":"trace".*"file":"\([ab]\)".*/\1/p' "$1/report.jsonl" | tr -d '\n')
    [ "$files" = "$3" ] || fail "$2 in $1: tells of '$files', not '$3': $(cat "$1/report.jsonl")"
}

# A block of 64 KiB holds a thousand records. With this many reads more blocks are needed after the change.
many=$(printf '%8000s' | tr ' ' b)

# events WORDS COUNT [DIRECTORY]: fails unless the events file has COUNT reads.
events() {
    events=$work/${3-logs}/e.mio
    rm -f "$events"
    shown=$(printf %.6s "$1")
    LD_PRELOAD=$library MIO_FILES="* [ trace/events={$events} ]" ./becomes "$1" 2>said || fail "events of $shown: the program failed: $?"
    [ -s said ] && fail "events of $shown: $(cat said)"
    count=$(./sums "$events" | awk '$2 == "read" { print $3 }')
    [ "$count" = "$2" ] || fail "events of $shown: $count reads, not $2"
}

reports logs aub ab
reports logs ub b
reports logs afub ab
reports logs aufb ab
reports logs ufbfa ba
reports logs aebraeb abab
reports logs acb ab
reports logs cuab ab
# The same for report files that are named in a rule.
own="* [ trace/stats={$work/logs/own.jsonl} | trace/stats={$work/logs/%x.jsonl} | trace/stats={$work/logs/report.jsonl} ]"
for words in aub ub afub cuab; do
    rm -f logs/own.jsonl logs/becomes.jsonl
    reports logs "$words" "$(echo "$words" | tr -dc ab)" "$own"
    for file in own becomes; do
        [ "$(grep -c '"type":"trace"' "logs/$file.jsonl")" = "$(grep -c '"type":"trace"' logs/report.jsonl)" ] ||
            fail "$words: $file.jsonl has not all: $(cat "logs/$file.jsonl")"
    done
done
events ub 1
events aub 2
events aebra 3
events afub 2
events aufb 2
events cuab 2
events "au$many" 8001
events "auf$many" 8001
events "ac$many" 8001
# A program that has become another user for good is listed among the programs of that user.
LD_PRELOAD=$library MIO_FILES='* [ trace/stats ]' ./becomes auk 2>said &
wait $! 2>/dev/null
file=$(ls -d /dev/shm/mio-65534/$!.live /tmp/mio-65534/$!.live 2>/dev/null)
[ -n "$file" ] && [ "$(stat -c %u "$file")" = 65534 ] || fail "a program that has become another user has no live counter file: $(cat said)"
rm -f "$file"
# A program that starts after the change makes the file.
reports theirs uxb b
events uxb 1 theirs
# MIO makes none of the system calls that are filtered.
reports logs asu a
# A handler does not wait for a lock that its own thread holds.
LD_PRELOAD=$library MIO_FILES='* [ trace/stats | pf | trace/stats ]' MIO_STATS="$work/logs/report.jsonl" timeout 60 ./becomes h 2>said ||
    fail "in a handler: the program failed: $?: $(cat said)"
# The reader of a pipe does not find its end before the report.
cat >reads.c <<'END'
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

/* Copies a pipe to its output. What is printed first says that it is open; the first writer is waited for after that. */
int main(int count, char **words)
{
	struct pollfd pipe = {.fd = open(words[count - 1], O_RDONLY | O_NONBLOCK), .events = POLLIN};
	char bytes[4096];
	ssize_t got;

	if (pipe.fd < 0 || write(STDOUT_FILENO, "open\n", 5) != 5 || poll(&pipe, 1, 60000) != 1 || fcntl(pipe.fd, F_SETFL, 0) < 0)
		return 1;
	while ((got = read(pipe.fd, bytes, sizeof(bytes))) > 0)
		if (write(STDOUT_FILENO, bytes, (size_t)got) != got)
			return 1;
	return got != 0;
}
END
${CC:-cc} -o reads reads.c || exit 1
mkfifo -m 666 pipe
./reads pipe >piped &
reader=$!
until [ -s piped ]; do
    kill -0 "$reader" || exit 1
done
LD_PRELOAD=$library MIO_FILES='* [ trace/stats ]' MIO_STATS="$work/pipe" ./becomes ub 2>said
wait "$reader" && [ "$(wc -l <piped)" -gt 1 ] && [ ! -s said ] || fail "a pipe: the report is not there: $(cat said)"
reports public aub ab
reports public ub b
[ "$(stat -c %u public/report.jsonl)" = 65534 ] || fail "a file that the user can make was made by root"
[ "$(stat -c %a:%u logs/report.jsonl)" = 600:0 ] || fail "another user may read the report"

exit $failed
