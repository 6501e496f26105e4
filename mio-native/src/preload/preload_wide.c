/*
 * Streams of cookies cannot be wide: glibc gives them no memory for it, and crashes. Whether a program's streams will be is not known
 * when they are opened; but a program that uses none of the functions does not name them. So the
 * program and its libraries are looked through for these names, once, when the first stream is opened.
 */
#include "preload.h"

#include <link.h>
#include <stdatomic.h>
#include <string.h>

static const char *const wide[] = {"fgetwc",	      "getwc",		 "fputwc",	    "putwc",	      "fgetws",	     "fputws",
				   "ungetwc",	      "fwide",		 "fwprintf",	    "vfwprintf",      "fwscanf",     "vfwscanf",
				   "fgetwc_unlocked", "getwc_unlocked",	 "fputwc_unlocked", "putwc_unlocked", "fgetws_unlocked",
				   "fputws_unlocked", "__fgetws_chk",	 "__fwprintf_chk",  "__vfwprintf_chk",
				   "__isoc99_fwscanf", "__isoc99_vfwscanf", "__isoc23_fwscanf", "__isoc23_vfwscanf"};

/* The tables of one object that tell which names it wants of others. */
struct object {
	const char *strings;
	const ElfW(Sym) *symbols;
	const uint32_t *gnu_hash;
	const uint32_t *hash;
	const char *name;
};

static const void *at(const struct dl_phdr_info *info, uintptr_t place)
{
	/* The loader has made some of them addresses already. */
	return (const void *)(place < info->dlpi_addr ? place + info->dlpi_addr : place);
}

static void read_object(const struct dl_phdr_info *info, const ElfW(Dyn) *entry, struct object *object)
{
	const ElfW(Dyn) *name = NULL;

	for (; entry->d_tag != DT_NULL; entry++) {
		const void *place = at(info, (uintptr_t)entry->d_un.d_ptr);

		if (entry->d_tag == DT_STRTAB)
			object->strings = place;
		else if (entry->d_tag == DT_SYMTAB)
			object->symbols = place;
		else if (entry->d_tag == DT_GNU_HASH)
			object->gnu_hash = place;
		else if (entry->d_tag == DT_HASH)
			object->hash = place;
		else if (entry->d_tag == DT_SONAME)
			name = entry;
	}
	object->name = name && object->strings ? object->strings + name->d_un.d_val : "";
}

/* How many symbols have to be looked at: names that are wanted come before those that are offered, which alone are in a GNU table. */
static uint32_t count_of(const struct object *object)
{
	if (object->gnu_hash)
		return object->gnu_hash[1];
	return object->hash ? object->hash[1] : 0;
}

static int begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

/* These offer the functions, or want them for std::wcout alone, which is no stream of a file. */
static int is_of_the_language(const char *name)
{
	return begins(name, "libc.so") || begins(name, "libstdc++.so") || begins(name, "libc++.so") || begins(name, "ld-linux") ||
	       begins(name, "libmio");
}

static int is_wide(const char *name)
{
	for (size_t i = 0; i < sizeof(wide) / sizeof(wide[0]); i++)
		if (strcmp(name, wide[i]) == 0)
			return 1;
	return 0;
}

static int look(struct dl_phdr_info *info, size_t size, void *unused)
{
	struct object object = {0};
	uint32_t count;

	(void)size;
	(void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			read_object(info, (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr), &object);
	if (!object.symbols || !object.strings || is_of_the_language(object.name))
		return 0;
	count = count_of(&object);
	for (uint32_t i = 1; i < count; i++)
		if (object.symbols[i].st_shndx == SHN_UNDEF && is_wide(object.strings + object.symbols[i].st_name))
			return 1;
	return 0;
}

int mio_preload_is_wide(void)
{
	enum { UNKNOWN, NO, YES };
	static _Atomic int found;

	if (atomic_load(&found) == UNKNOWN)
		atomic_store(&found, dl_iterate_phdr(look, NULL) ? YES : NO);
	return atomic_load(&found) == YES;
}
