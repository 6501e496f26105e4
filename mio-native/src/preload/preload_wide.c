/*
 * Streams of cookies cannot be wide: glibc gives them no memory for it, and crashes. When a stream is opened it is not known whether it
 * will be wide. But a program that uses none of the wide functions does not name them. So the program and its libraries are searched
 * for these names when the first stream is opened, and again when more libraries have been loaded.
 */
#include "preload.h"

#include <link.h>
#include <stdatomic.h>
#include <string.h>

#if __SIZEOF_POINTER__ == 8
#define SYMBOL_OF ELF64_R_SYM
#else
#define SYMBOL_OF ELF32_R_SYM
#endif

static const char *const wide[] = {"fgetwc",	      "getwc",		 "fputwc",	    "putwc",	      "fgetws",	     "fputws",
				   "ungetwc",	      "fwide",		 "fwprintf",	    "vfwprintf",      "fwscanf",     "vfwscanf",
				   "fgetwc_unlocked", "getwc_unlocked",	 "fputwc_unlocked", "putwc_unlocked", "fgetws_unlocked",
				   "fputws_unlocked", "__fgetws_chk",	 "__fwprintf_chk",  "__vfwprintf_chk",
				   "__isoc99_fwscanf", "__isoc99_vfwscanf", "__isoc23_fwscanf", "__isoc23_vfwscanf", "fgetwln"};

/* A table of relocations, in which an object names what it needs of others: each has a place and a symbol, and more in some tables. */
struct relocations {
	const char *begin;
	size_t bytes;
	size_t each;
};

/* The tables of one object that tell which names it needs of others. */
struct object {
	const char *strings;
	const ElfW(Sym) *symbols;
	struct relocations data;
	struct relocations older_data;
	struct relocations calls;
	const char *name;
};

static const void *at(const struct dl_phdr_info *info, uintptr_t place)
{
	/* The loader has turned some of the values into addresses already. */
	return (const void *)(place < info->dlpi_addr ? place + info->dlpi_addr : place);
}

static void read_object(const struct dl_phdr_info *info, const ElfW(Dyn) *entry, struct object *object)
{
	const ElfW(Dyn) *name = NULL;

	for (; entry->d_tag != DT_NULL; entry++) {
		const void *place = at(info, (uintptr_t)entry->d_un.d_ptr);

		switch (entry->d_tag) {
		case DT_STRTAB: object->strings = place; break;
		case DT_SYMTAB: object->symbols = place; break;
		case DT_RELA: object->data.begin = place; break;
		case DT_RELASZ: object->data.bytes = entry->d_un.d_val; break;
		case DT_REL: object->older_data.begin = place; break;
		case DT_RELSZ: object->older_data.bytes = entry->d_un.d_val; break;
		case DT_JMPREL: object->calls.begin = place; break;
		case DT_PLTRELSZ: object->calls.bytes = entry->d_un.d_val; break;
		case DT_PLTREL:
			object->calls.each = entry->d_un.d_val == DT_RELA ? sizeof(ElfW(Rela)) : sizeof(ElfW(Rel));
			break;
		case DT_SONAME: name = entry; break;
		default: break;
		}
	}
	object->data.each = sizeof(ElfW(Rela));
	object->older_data.each = sizeof(ElfW(Rel));
	object->name = name && object->strings ? object->strings + name->d_un.d_val : "";
}

/*
 * 1 for libraries that offer the functions, or need them only for callers that themselves name a function of the list: libbsd for
 * fgetwln, libquadmath in the wide printf. Or for std::wcout, which is no stream of a file. Every program that shows windows has
 * libbsd, every Fortran program libquadmath.
 */
static int offers_wide(const char *name)
{
	static const char *const offer[] = {"libc.so", "libstdc++.so", "libc++.so", "ld-linux", "libmio", "libbsd.so", "libquadmath.so"};

	return mio_preload_begins(name, offer, sizeof(offer) / sizeof(offer[0]));
}

static int is_wide(const char *name)
{
	for (size_t i = 0; i < sizeof(wide) / sizeof(wide[0]); i++)
		if (strcmp(name, wide[i]) == 0)
			return 1;
	return 0;
}

static int wants_wide(const struct object *object, const struct relocations *table)
{
	if (!table->begin || table->each == 0)
		return 0;
	for (size_t i = 0; i + table->each <= table->bytes; i += table->each) {
		const ElfW(Rel) *one = (const void *)(table->begin + i);
		const ElfW(Sym) *symbol = &object->symbols[SYMBOL_OF(one->r_info)];

		if (symbol != object->symbols && symbol->st_shndx == SHN_UNDEF && is_wide(object->strings + symbol->st_name))
			return 1;
	}
	return 0;
}

static int look(struct dl_phdr_info *info, size_t size, void *unused)
{
	struct object object = {0};

	(void)size;
	(void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			read_object(info, (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr), &object);
	return object.symbols && object.strings && !offers_wide(object.name) &&
	       (wants_wide(&object, &object.calls) || wants_wide(&object, &object.data) || wants_wide(&object, &object.older_data));
}

/* Reads how many objects have been loaded so far. */
static int count_loaded(struct dl_phdr_info *info, size_t size, void *loaded)
{
	(void)size;
	*(unsigned long long *)loaded = info->dlpi_adds;
	return 1;
}

static _Atomic int found;
/* How many objects had been loaded at the last search. */
static _Atomic unsigned long long looked;
static _Atomic int is_child;

/* Another thread of the parent may hold the loader's lock for ever, so a child relies on what the parent found. */
void mio_preload_wide_forked(void)
{
	atomic_store(&is_child, 1);
}

int mio_preload_is_wide(void)
{
	unsigned long long loaded = 0;

	if (atomic_load(&found))
		return 1;
	if (atomic_load(&is_child) && atomic_load(&looked) > 0)
		return 0;
	dl_iterate_phdr(count_loaded, &loaded);
	if (loaded != atomic_load(&looked)) {
		if (dl_iterate_phdr(look, NULL))
			atomic_store(&found, 1);
		atomic_store(&looked, loaded);
	}
	return atomic_load(&found);
}
