/* Descriptors that go to another process through a socket: from then on both share bytes, position and flags. */
#include "see.h"

#include <sys/socket.h>
#include <sys/uio.h>

static char bytes[50000];

static void send_fd(int over, int fd)
{
	char control[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8)));
	struct iovec part = {(char *)(uintptr_t)"d", 1};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	memset(control, 0, sizeof(control));
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(header), &fd, sizeof(int));
	MUST(sendmsg(over, &message, 0) == 1);
}

static int receive_fd(int over)
{
	char control[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8)));
	char byte;
	struct iovec part = {&byte, 1};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)};
	int fd = -1;

	MUST(recvmsg(over, &message, 0) == 1);
	MUST(CMSG_FIRSTHDR(&message) != NULL);
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(int));
	return fd;
}

static void turn(int over)
{
	MUST(write(over, "t", 1) == 1);
}

static void my_turn(int over)
{
	char byte;

	MUST(read(over, &byte, 1) == 1);
}

static void child(int over)
{
	int fd = receive_fd(over);

	say("received %d at %lld", fd, (long long)lseek(fd, 0, SEEK_CUR));
	MUST(is_fill(fd, sizeof(bytes), 1, 0));
	SEE(read(fd, bytes, 100));
	SEE(pwrite(fd, "by the receiver", 15, 20000));
	turn(over);
	my_turn(over);
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(pread(fd, bytes, 13, 30000));
	say("%.13s", bytes);
	SEE(write(fd, "place", 5));
	SEE(ftruncate(fd, 45000));
	turn(over);
	my_turn(over);
	SEE(close(fd));
	_exit(0);
}

int main(int argc, char **argv)
{
	int ends[2];
	int fd;
	int other;
	pid_t receiver;

	begin(argc, argv);
	outside_begin();
	MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
	receiver = fork();
	if (receiver == 0)
		child(ends[1]);
	fd = open("f", O_RDWR | O_CREAT, 0600);
	other = open("f", O_RDWR);
	fill(bytes, sizeof(bytes), 1, 0);
	MUST(write(fd, bytes, sizeof(bytes)) == (ssize_t)sizeof(bytes));
	MUST(pread(other, bytes, 1000, 19500) == 1000);
	MUST(lseek(fd, 1234, SEEK_SET) == 1234);
	send_fd(ends[0], fd);
	my_turn(ends[0]);
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(pread(fd, bytes, 15, 20000));
	say("%.15s", bytes);
	SEE(pread(other, bytes, 15, 20000));
	say("%.15s", bytes);
	SEE(read(fd, bytes, 66));
	SEE(pwrite(other, "by the sender", 13, 30000));
	SEE(fsync(other));
	turn(ends[0]);
	my_turn(ends[0]);
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(pread(fd, bytes, 5, 1400));
	say("%.5s", bytes);
	SEE(lseek(fd, 0, SEEK_END));
	turn(ends[0]);
	await("receiver", receiver);
	SEE(close(fd));
	/* To this process itself: another descriptor of the same open, with one position. */
	fd = open("f", O_RDWR);
	send_fd(ends[0], fd);
	receiver = receive_fd(ends[1]);
	SEE(write(fd, "self", 4));
	SEE(lseek(receiver, 0, SEEK_CUR));
	SEE(read(receiver, bytes, 10));
	SEE(lseek(fd, 0, SEEK_CUR));
	SEE(close(fd));
	SEE(close(receiver));
	SEE(close(other));
	look("f");
	outside("f");
	return 0;
}
