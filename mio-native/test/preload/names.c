/* Files with dirty bytes that get other names, modes, owners and attributes, or lose their names. */
#include "see.h"

#include <dirent.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <utime.h>

#ifndef RENAME_EXCHANGE
#define RENAME_EXCHANGE 2
#endif

static char bytes[60000];

static int dirty(const char *name, unsigned int seed)
{
	int fd = open(name, O_RDWR | O_CREAT, 0644);

	MUST(fd >= 0);
	fill(bytes, sizeof(bytes), seed, 0);
	MUST(write(fd, bytes, sizeof(bytes)) == (ssize_t)sizeof(bytes));
	return fd;
}

/* Another process sees the whole file under its new name at once. */
static void renames(void)
{
	int directory = open(".", O_RDONLY);
	int fd = dirty("a", 1);
	int other;

	SEE(rename("a", "b"));
	outside("b");
	SEE(write(fd, "more", 4));
	SEE(renameat(directory, "b", directory, "c"));
	outside("c");
	SEE(write(fd, "even more", 9));
	other = dirty("d", 2);
	SEE(renameat2(AT_FDCWD, "c", AT_FDCWD, "d", RENAME_EXCHANGE));
	outside("c");
	outside("d");
	SEE(write(fd, "to d", 4));
	SEE(write(other, "to c", 4));
	SEE(rename("d", "c"));
	outside("c");
	outside("d");
	SEE(write(other, "to nobody", 9));
	SEE(pread(other, bytes, 100, 59990));
	SEE(close(other));
	SEE(rename("none", "x"));
	SEE(rename("c", "none/x"));
	SEE(close(fd));
	SEE(close(directory));
	look("c");
}

static void links(void)
{
	int fd = dirty("one", 3);

	SEE(link("one", "two"));
	outside("two");
	SEE(write(fd, "more", 4));
	SEE(linkat(AT_FDCWD, "two", AT_FDCWD, "three", 0));
	outside("three");
	/* Two names of one file. */
	SEE(close(fd));
	fd = open("two", O_RDWR);
	SEE(pwrite(fd, "by two", 6, 100));
	look("one");
	SEE(unlink("one"));
	SEE(unlink("one"));
	SEE(pread(fd, bytes, 6, 100));
	SEE(close(fd));
	outside("three");
}

/* Open files without a name. */
static void unlinked(void)
{
	struct stat st;
	int fd = dirty("gone", 4);
	int other;

	SEE(unlink("gone"));
	SEE(fstat(fd, &st));
	say("links %d, %lld bytes", (int)st.st_nlink, (long long)st.st_size);
	SEE(open("gone", O_RDONLY));
	SEE(pwrite(fd, "after", 5, 70000));
	MUST(is_fill(fd, sizeof(bytes), 4, 0));
	other = dirty("gone", 5);
	MUST(is_fill(other, sizeof(bytes), 5, 0));
	MUST(is_fill(fd, sizeof(bytes), 4, 0));
	SEE(lseek(fd, 0, SEEK_END));
	SEE(ftruncate(fd, 10));
	SEE(lseek(other, 0, SEEK_END));
	SEE(close(fd));
	SEE(remove("gone"));
	SEE(close(other));
	/* Repeatedly, because the file system reuses inode numbers. */
	for (int i = 0; i < 20; i++) {
		fd = dirty("again", 100 + (unsigned int)i);
		MUST(unlink("again") == 0);
		MUST(is_fill(fd, sizeof(bytes), 100 + (unsigned int)i, 0));
		MUST(lseek(fd, 0, SEEK_END) == (off_t)sizeof(bytes));
		MUST(close(fd) == 0);
		fd = open("again", O_RDWR | O_CREAT | O_EXCL, 0600);
		MUST(fd >= 0 && read(fd, bytes, 10) == 0);
		MUST(close(fd) == 0 && unlink("again") == 0);
	}
}

static void see_attributes(const char *name)
{
	struct stat st;

	MUST(lstat(name, &st) == 0);
	say("%s: mode %o, owner %d %d, changed %lld.%09ld", name, (unsigned int)st.st_mode, (int)st.st_uid, (int)st.st_gid,
	    st.st_mtim.tv_sec < 1262304000 ? (long long)st.st_mtim.tv_sec : -1,
	    st.st_mtim.tv_sec < 1262304000 ? st.st_mtim.tv_nsec : -1);
}

/* Times that are set after a write stay, whichever call sets them and whenever the file is closed. */
static void times(void)
{
	struct timespec old[2] = {{900000000, 1}, {900000001, 2}};
	struct timeval small[2] = {{900000000, 1}, {900000002, 2}};
	struct utimbuf old_style = {900000000, 900000003};
	const struct timespec omit[2] = {{0, UTIME_OMIT}, {800000000, 0}};

	for (int i = 0; i < 8; i++) {
		char name[16];
		int fd;

		snprintf(name, sizeof(name), "times%d", i);
		fd = dirty(name, 200 + (unsigned int)i);
		switch (i) {
		case 0:
			SEE(futimens(fd, old));
			break;
		case 1:
			SEE(utimensat(AT_FDCWD, name, old, 0));
			break;
		case 2:
			SEE(utimes(name, small));
			break;
		case 3:
			SEE(lutimes(name, small));
			break;
		case 4:
			SEE(futimes(fd, small));
			break;
		case 5:
			SEE(utime(name, &old_style));
			break;
		case 6:
			SEE(utimensat(AT_FDCWD, name, omit, AT_SYMLINK_NOFOLLOW));
			break;
		default:
			SEE(futimesat(AT_FDCWD, name, small));
			break;
		}
		see_attributes(name);
		if (i % 2)
			MUST(fsync(fd) == 0);
		MUST(close(fd) == 0);
		see_attributes(name);
		outside(name);
	}
	/* Reads and a second open do not change the times. */
	{
		int fd = open("times0", O_RDWR);

		MUST(read(fd, bytes, 30000) == 30000);
		MUST(fsync(fd) == 0);
		MUST(close(fd) == 0);
		see_attributes("times0");
	}
}

/* A late write by an ordinary user would clear the set-user-id bit. */
static void modes(void)
{
	int fd = dirty("mode", 300);

	SEE(chmod("mode", 0755));
	see_attributes("mode");
	SEE(write(fd, "more", 4));
	SEE(fchmod(fd, 06711));
	see_attributes("mode");
	SEE(close(fd));
	see_attributes("mode");
	fd = dirty("mode2", 301);
	SEE(fchmodat(AT_FDCWD, "mode2", 04700, 0));
	SEE(fsync(fd));
	SEE(close(fd));
	see_attributes("mode2");
	fd = dirty("owner", 302);
	if (geteuid() == 0) {
		SEE(fchown(fd, 1, 2));
		SEE(chown("owner", 3, 4));
		SEE(lchown("owner", 5, 6));
		SEE(fchownat(AT_FDCWD, "owner", 7, 8, 0));
	}
	SEE(close(fd));
	see_attributes("owner");
	fd = dirty("attribute", 303);
	MUST(fsetxattr(fd, "user.mio", "value", 5, 0) == 0 || errno == EOPNOTSUPP);
	MUST(setxattr("attribute", "user.mio2", "value", 5, 0) == 0 || errno == EOPNOTSUPP);
	SEE(close(fd));
	outside("attribute");
}

static void directories(void)
{
	struct dirent *entry;
	int count = 0;
	DIR *all = opendir(".");
	int fd;

	MUST(all != NULL);
	while ((entry = readdir(all)))
		count++;
	closedir(all);
	say("%d entries", count);
	SEE(mkdir("sub", 0755));
	SEE(fd = open("sub/file", O_RDWR | O_CREAT, 0600));
	SEE(write(fd, "in a directory", 14));
	SEE(rename("sub", "moved"));
	SEE(write(fd, ", moved", 7));
	SEE(close(fd));
	look("moved/file");
	outside("moved/file");
	SEE(rmdir("moved"));
}

int main(int argc, char **argv)
{
	begin(argc, argv);
	outside_begin();
	renames();
	links();
	unlinked();
	times();
	modes();
	directories();
	return 0;
}
