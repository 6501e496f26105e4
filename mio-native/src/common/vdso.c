/*
 * Source: the kernel's documentation, ABI/stable/vdso. All tables lie in the mapped image, and its first bytes, the ELF
 * headers, are mapped with them.
 */
#include "vdso.h"

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

#define BITS 64

/* The tables that the vDSO's dynamic section points to. */
struct tables {
	const ElfW(Sym) *symbols;
	const char *names;
	const uint32_t *hash, *gnu_hash;
};

/* The number of symbols. With the newer kind of hash table, it is the end of the chain that begins last. */
static uint32_t symbols_of(const struct tables *found)
{
	const uint32_t *gnu = found->gnu_hash;
	const uint32_t *buckets, *chains;
	uint32_t last = 0;

	if (found->hash)
		return found->hash[1];
	if (!gnu)
		return 0;
	buckets = gnu + 4 + (size_t)gnu[2] * (BITS / 32);
	chains = buckets + gnu[0];
	for (uint32_t i = 0; i < gnu[0]; i++)
		if (buckets[i] > last)
			last = buckets[i];
	if (last < gnu[1])
		return 0;
	while (!(chains[last - gnu[1]] & 1))
		last++;
	return last + 1;
}

void *mio_vdso_function(const char *name)
{
	const char *image = (const char *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
	const ElfW(Ehdr) *header = (const void *)image;
	const ElfW(Phdr) *segments;
	const ElfW(Dyn) *dynamic = NULL;
	const char *base = NULL;
	struct tables found = {0};
	uint32_t symbols;

	if (!image || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
		return NULL;
	segments = (const void *)(image + header->e_phoff);
	for (int i = 0; i < header->e_phnum; i++) {
		if (segments[i].p_type == PT_LOAD && !base)
			base = image + segments[i].p_offset - segments[i].p_vaddr;
		if (segments[i].p_type == PT_DYNAMIC)
			dynamic = (const void *)(image + segments[i].p_offset);
	}
	if (!base || !dynamic)
		return NULL;
	for (; dynamic->d_tag != DT_NULL; dynamic++) {
		const void *at = base + dynamic->d_un.d_ptr;

		if (dynamic->d_tag == DT_SYMTAB)
			found.symbols = at;
		else if (dynamic->d_tag == DT_STRTAB)
			found.names = at;
		else if (dynamic->d_tag == DT_HASH)
			found.hash = at;
		else if (dynamic->d_tag == DT_GNU_HASH)
			found.gnu_hash = at;
	}
	symbols = found.symbols && found.names ? symbols_of(&found) : 0;
	for (uint32_t i = 0; i < symbols; i++) {
		const ElfW(Sym) *symbol = &found.symbols[i];

		if (symbol->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC &&
		    strcmp(found.names + symbol->st_name, name) == 0)
			return (void *)(uintptr_t)(base + symbol->st_value);
	}
	return NULL;
}
