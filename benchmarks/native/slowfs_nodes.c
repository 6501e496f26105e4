/* The files that the kernel knows. Each has an O_PATH descriptor, which stays valid when the name changes. */
#define _GNU_SOURCE
#include "slowfs.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUCKETS 4096

struct node {
	int fd;
	dev_t device;
	ino_t number;
	uint64_t lookups;
	struct node *next;
};

static struct node root;
static struct node *buckets[BUCKETS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct node *node_of(uint64_t id)
{
	return id == FUSE_ROOT_ID ? &root : (struct node *)(uintptr_t)id;
}

int slow_node_fd(uint64_t id)
{
	return node_of(id)->fd;
}

const char *slow_node_path(uint64_t id, char path[40])
{
	snprintf(path, 40, "/proc/self/fd/%d", slow_node_fd(id));
	return path;
}

static struct node **bucket_of(dev_t device, ino_t number)
{
	return &buckets[(device * 31 + number) % BUCKETS];
}

uint64_t slow_node_get(int fd, const struct stat *found)
{
	struct node **bucket = bucket_of(found->st_dev, found->st_ino);
	struct node *node;

	pthread_mutex_lock(&lock);
	for (node = *bucket; node; node = node->next)
		if (node->device == found->st_dev && node->number == found->st_ino)
			break;
	if (node) {
		close(fd);
		node->lookups++;
	} else if ((node = malloc(sizeof(*node)))) {
		*node = (struct node){fd, found->st_dev, found->st_ino, 1, *bucket};
		*bucket = node;
	}
	pthread_mutex_unlock(&lock);
	return (uint64_t)(uintptr_t)node;
}

void slow_node_forget(uint64_t id, uint64_t lookups)
{
	struct node *node = node_of(id);
	struct node **at;

	if (id == FUSE_ROOT_ID)
		return;
	pthread_mutex_lock(&lock);
	node->lookups -= lookups;
	if (node->lookups == 0) {
		for (at = bucket_of(node->device, node->number); *at != node; at = &(*at)->next)
			;
		*at = node->next;
		close(node->fd);
		free(node);
	}
	pthread_mutex_unlock(&lock);
}

int slow_nodes_begin(int root_fd)
{
	struct stat found;

	if (fstat(root_fd, &found) < 0)
		return -errno;
	root = (struct node){root_fd, found.st_dev, found.st_ino, 1, NULL};
	return 0;
}
