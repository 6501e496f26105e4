#ifndef MIO_CONFIG_OPTIONS_H
#define MIO_CONFIG_OPTIONS_H

/*
 * All layers and their options, layer by layer, in the order of the echo. Twins of the enums LayerKind, MioOption,
 * TraceOption, PfOption, RecovOption, OsOption and DebugKeyword in Java, with the same names and order; TwinTest compares them.
 *
 * Each table is one list. Its macro X gets the name of a row and the members of its struct mio_option. The enum, the
 * table (config_options.c) and the test are made from the same list.
 */

#include <stddef.h>
#include <stdint.h>

/* X(NAME, id): the layers, from the program down. */
#define MIO_LAYER_LIST(X) \
	X(MIO, "mio")		/* front: the first layer of every stack */ \
	X(TRACE, "trace")	/* counts and times every call */ \
	X(PF, "pf")		/* page cache with readahead and write-behind */ \
	X(RECOV, "recov")	/* tries failed calls again */ \
	X(OS, "os")		/* the file itself: the last layer of every stack */

/* X(name, NAME): other names a layer can be typed with. */
#define MIO_LAYER_ALIAS_LIST(X) \
	X("aix", OS) \
	X("posix", OS)

#define MIO_LAYER_ENUM(name, id) MIO_LAYER_##name,
enum mio_layer_kind { MIO_LAYER_LIST(MIO_LAYER_ENUM) MIO_LAYER_KINDS };

/* X(NAME, word): what can be typed for an option. */
#define MIO_OPTION_KIND_LIST(X) \
	X(FLAG, "flag")		/* a word that switches on, and mostly one that switches off */ \
	X(CHOICE, "choice")	/* one word out of several */ \
	X(SIZE, "size")		/* bytes, with an optional k, m, g or t (powers of 1024) */ \
	X(INTEGER, "integer")	/* a number, written like a size */ \
	X(STRING, "string")	/* text as typed; in braces if it has blanks or separators */ \
	X(RANGE, "range")	/* two numbers with a colon between them */

#define MIO_OPTION_KIND_ENUM(name, word) MIO_OPTION_##name,
enum mio_option_kind { MIO_OPTION_KIND_LIST(MIO_OPTION_KIND_ENUM) MIO_OPTION_KINDS };

/* Whether an option is not set, switched on or switched off. */
enum mio_setting { MIO_SETTING_UNSET, MIO_SETTING_ON, MIO_SETTING_OFF };

enum { MIO_OPTION_CHOICES_MAX = 5 };

/* What a table says of one option. Twin of OptionTraits. A member that a row does not name is 0 or NULL: the option has no such thing. */
struct mio_option {
	const char *id;			/* its name as typed and echoed */
	const char *off_word;		/* word that switches it off */
	const char *off_alias;		/* another word that switches it off */
	const char *bare;		/* value that is meant if the name is typed without a value */
	const char *choices[MIO_OPTION_CHOICES_MAX + 1];	/* words of a choice, the default first; then NULL */
	const char *preset;		/* default as one would type it; NULL for a flag, and if there is no default */
	const char *unit;		/* unit of the number; "": none */
	const char *since;		/* first version of MIO that carries the option out; NULL: none does yet */
	const char *description;	/* one or two sentences */
	int64_t min, max;		/* least and greatest number allowed, in the unit */
	enum mio_option_kind kind;
	enum mio_setting preset_setting;
	unsigned int keyed : 1;		/* a word of the choice is typed after id= */
	unsigned int octal : 1;
	unsigned int automatic : 1;	/* the word auto may be typed in place of the number */
	unsigned int braced : 1;	/* echoed in braces */
	unsigned int empty_allowed : 1;
	unsigned int extension : 1;	/* the original does not have it */
};

/* The first members of a row, for each kind of option. */
#define MIO_ROW_FLAG(word, off, set) \
	.id = word, .kind = MIO_OPTION_FLAG, .off_word = off, .preset_setting = MIO_SETTING_##set, \
	.unit = "", .max = INT64_MAX
#define MIO_ROW_CHOICE(word, first, ...) \
	.id = word, .kind = MIO_OPTION_CHOICE, .choices = {first, __VA_ARGS__}, .preset = first, \
	.preset_setting = MIO_SETTING_ON, .unit = "", .max = INT64_MAX
#define MIO_ROW_UNSET_NUMBER(word, what, least, most, of) \
	.id = word, .kind = MIO_OPTION_##what, .min = least, .max = most, .unit = of
#define MIO_ROW_NUMBER(word, what, least, most, of, text) \
	MIO_ROW_UNSET_NUMBER(word, what, least, most, of), .preset = text, .preset_setting = MIO_SETTING_ON
#define MIO_ROW_STRING(word) \
	.id = word, .kind = MIO_OPTION_STRING, .braced = 1, .unit = "", .max = INT64_MAX
#define MIO_ROW_UNIT \
	MIO_ROW_CHOICE("unit", "bytes", "kbytes", "mbytes", "gbytes", "tbytes")
#define MIO_ROW_STATS(contents) \
	MIO_ROW_STRING("stats"), .bare = "mioout", .off_word = "nostats", .preset = "mioout", \
	.preset_setting = MIO_SETTING_ON, \
	.description = contents " `mioout` means the file that `MIO_STATS` names. On unless switched off (the" \
				" original's papers do not say which holds)."

/* The original never echoes this layer. */
#define MIO_MIO_OPTION_LIST(X) \
	/* permission bits of a file that is made; not set: those of the program */ \
	X(MODE, MIO_ROW_UNSET_NUMBER("mode", INTEGER, 0, 07777, ""), .octal = 1, .off_word = "nomode", \
	  .since = "0.1.0", \
	  .description = "Permission bits, in octal, of a file that is made, instead of those the program gave;" \
			 " `nomode` leaves the program's.") \
	/* not set: as the program opened the file; on: direct I/O; off: buffered */ \
	X(DIRECT, MIO_ROW_FLAG("direct", "nodirect", UNSET), .since = "0.1.0", \
	  .description = "Opens the file for direct I/O (O_DIRECT); `nodirect` takes that away from a program that" \
			 " asks for it. Neither: as the program opens it.") \
	/* not set: as the program opened the file; on: every write waits for the device; off: none does */ \
	X(OSYNC, MIO_ROW_FLAG("osync", "noosync", UNSET), .since = "0.1.0", \
	  .description = "Every write waits until the device has it (O_SYNC); `noosync` takes that away from a" \
			 " program that asks for it. Neither: as the program opens it.") \
	/* concurrent I/O: writes of one file do not wait for each other */ \
	X(CIO, MIO_ROW_FLAG("cio", "nocio", OFF), .extension = 1, .since = "0.1.0", \
	  .description = "Concurrent I/O: reads and writes of one file run side by side; the program itself keeps" \
			 " overlapping ones apart.")

#define MIO_TRACE_OPTION_LIST(X) \
	/* report at close; the text is the file, mioout for that of MIO_STATS */ \
	X(STATS, MIO_ROW_STATS("Report when the file is closed, and where it goes."), .since = "0.1.0") \
	/* binary events; the text is the file */ \
	X(EVENTS, MIO_ROW_STRING("events"), .bare = "trace.events", .off_word = "noevents", \
	  .preset_setting = MIO_SETTING_OFF, \
	  .since = "0.1.0", \
	  .description = "One binary record per call, and the file for them; `trace.events` if none is given.") \
	/* unit of the report */ \
	X(UNIT, MIO_ROW_UNIT, .since = "0.1.0", \
	  .description = "Unit of the report: powers of 1024. Sizes of single requests are always in bytes.") \
	/* intermediate reports while the file is open */ \
	X(INTER, MIO_ROW_FLAG("inter", "nointer", OFF), .since = "0.1.0", \
	  .description = "Reports on demand while the file is open, too.") \
	/* most bytes of the events file */ \
	X(EVENTS_LIMIT, MIO_ROW_NUMBER("events_limit", SIZE, 0, INT64_MAX, "bytes", "1g"), .extension = 1, \
	  .since = "0.1.0", \
	  .description = "Most bytes the events file may have; what comes then is dropped and counted.") \
	/* of so many calls one is recorded */ \
	X(EVENTS_SAMPLE, MIO_ROW_NUMBER("events_sample", INTEGER, 1, INT32_MAX, "", "1"), .extension = 1, \
	  .since = "0.1.0", \
	  .description = "One call in so many is recorded; opens, closes and what fails always are.")

/* The options of the original, in the order of its echo, then ours. */
#define MIO_PF_OPTION_LIST(X) \
	/* pages are read ahead for writes too */ \
	X(PFFW, MIO_ROW_FLAG("pffw", "nopffw", OFF), .since = "0.1.0", \
	  .description = "Reads a page in before a write into it. `nopffw` writes whole sectors into an empty page.") \
	/* the frames of a global cache are given back when its last file is closed */ \
	X(RELEASE, MIO_ROW_FLAG("release", "norelease", ON), .since = "0.1.0", \
	  .description = "Gives the memory of a global cache back when its last file is closed.") \
	/* number of the shared cache; off: a private one */ \
	X(GLOBAL, MIO_ROW_NUMBER("global", INTEGER, 0, 255, "", "0"), .bare = "0", .off_word = "private", \
	  .since = "0.1.0", \
	  .description = "Number of the cache, which all files with this number share; `private` gives each open file" \
			 " a cache of its own.") \
	/* requests to the next layer are asynchronous */ \
	X(ASYNCHRONOUS, MIO_ROW_FLAG("asynchronous", "synchronous", ON), .off_alias = "noasynchronous", \
	  .since = "0.1.0", \
	  .description = "Page requests to the next layer are asynchronous; `synchronous` waits for each one.") \
	/* page requests go past the page cache of the kernel */ \
	X(DIRECT, MIO_ROW_FLAG("direct", "nodirect", OFF), .since = "0.1.0", \
	  .description = "Page requests use direct I/O (O_DIRECT), past the kernel's own cache.") \
	/* unit of the report */ \
	X(UNIT, MIO_ROW_UNIT, .since = "0.1.0", \
	  .description = "Unit of the report: powers of 1024.") \
	/* size of the cache, bytes */ \
	X(CACHE_SIZE, MIO_ROW_NUMBER("cache_size", SIZE, INT64_C(16) << 10, INT64_C(1) << 40, "bytes", "64k"), \
	  .since = "0.1.0", \
	  .description = "Memory of the cache; the original ends at 1g.") \
	/* size of a page, bytes */ \
	X(PAGE_SIZE, MIO_ROW_NUMBER("page_size", SIZE, 4096, INT64_C(1) << 30, "bytes", "4k"), .since = "0.1.0", \
	  .description = "Bytes per page, which is the largest request to the next layer.") \
	/* readahead distance, pages; as numbers, 0 to 0 means auto */ \
	X(PREFETCH, MIO_ROW_NUMBER("prefetch", RANGE, 1, 65536, "pages", "auto"), .automatic = 1, .since = "0.1.0", \
	  .description = "Pages read ahead: a fixed number as in the original, `MIN:MAX` to grow from one to the" \
			 " other, or `auto`. `MIN:MAX` and `auto` are extensions; the original has 1 unless told.") \
	/* forced stride, pages; 1: as detected */ \
	X(STRIDE, MIO_ROW_NUMBER("stride", INTEGER, 1, INT64_C(1) << 30, "pages", "1"), .since = "0.1.0", \
	  .description = "Step between the pages a program reads; 1 lets MIO find it out.") \
	/* report at close; the text is the file, mioout for that of MIO_STATS */ \
	X(STATS, MIO_ROW_STATS("Report on the cache when the file is closed, and where it goes."), .since = "0.1.0") \
	/* intermediate reports while the file is open */ \
	X(INTER, MIO_ROW_FLAG("inter", "nointer", OFF), .since = "0.1.0", \
	  .description = "Reports on demand while the file is open, too.") \
	/* pages stay in the global cache after close */ \
	X(RETAIN, MIO_ROW_FLAG("retain", "noretain", OFF), .since = "0.1.0", \
	  .description = "Keeps the file's pages in a global cache after close, for the next open.") \
	/* page requests are handed over as lists */ \
	X(LISTIO, MIO_ROW_FLAG("listio", "nolistio", OFF), .since = "0.1.0", \
	  .description = "Hands page requests over as lists instead of one by one.") \
	/* the text begins every line of the report */ \
	X(TAG, MIO_ROW_STRING("tag"), .empty_allowed = 1, .off_word = "notag", .preset_setting = MIO_SETTING_OFF, \
	  .since = "0.1.0", \
	  .description = "Text before every line of the report, to find it again.") \
	/* the file is not flushed at close, and removed */ \
	X(SCRATCH, MIO_ROW_FLAG("scratch", "noscratch", OFF), .since = "0.1.0", \
	  .description = "The file is not needed after close: it is not flushed, and removed.") \
	/* bytes that are not cached: from the first number up to, but not including, the second */ \
	X(PASSTHRU, MIO_ROW_NUMBER("passthru", RANGE, 0, INT64_MAX, "bytes", "0:0"), .braced = 1, .since = "0.1.0", \
	  .description = "Part of the file that is never cached: from the first byte up to, without, the second." \
			 " `{0:0}` is none.") \
	/* full pages are written asynchronously; off: every write goes to the kernel at once */ \
	X(BEHIND, MIO_ROW_FLAG("behind", "through", ON), .extension = 1, .since = "0.1.0", \
	  .description = "Full pages are written while the program runs on; `through` hands every write to the kernel" \
			 " at once.") \
	/* the text is auto or lru */ \
	X(REPLACE, MIO_ROW_CHOICE("replace", "auto", "lru"), .keyed = 1, .extension = 1, .since = "0.1.0", \
	  .description = "Which page gives way: `lru` the least recently used one as in the original; `auto` also" \
			 " keeps re-read pages against one-time scans.") \
	/* requests of this size go past the cache, bytes; 0: none */ \
	X(DISCOVERED_DIRECT, MIO_ROW_NUMBER("discovered_direct", SIZE, 0, INT64_C(1) << 40, "bytes", "0"), \
	  .extension = 1, .since = "0.1.0", \
	  .description = "Requests of at least this size go to the next layer without being cached; 0 means none.") \
	/* streams recognised at the same time per file */ \
	X(STREAMS, MIO_ROW_NUMBER("streams", INTEGER, 1, 1024, "", "16"), .extension = 1, .since = "0.1.0", \
	  .description = "Streams recognised at the same time in one file; with `auto`, 8 at most.") \
	/* buffered I/O that leaves nothing in the page cache of the kernel */ \
	X(UNCACHED, MIO_ROW_FLAG("uncached", "nouncached", OFF), .extension = 1, .since = "0.1.0", \
	  .description = "Buffered requests that leave nothing in the kernel's cache (RWF_DONTCACHE, where the kernel" \
			 " has it).") \
	/* the kernel is told what will be read; pages only where requests are small */ \
	X(AUTO, MIO_ROW_FLAG("auto", "noauto", OFF), .extension = 1, .since = "0.1.0", \
	  .description = "Leaves the file to the kernel's cache and tells the kernel what will be read; takes a few" \
			 " pages for small requests.") \
	/* the text is a file that tells what will be read */ \
	X(PLAN, MIO_ROW_STRING("plan"), .off_word = "noplan", .preset_setting = MIO_SETTING_OFF, .extension = 1, \
	  .since = "0.1.0", \
	  .description = "Events file of an earlier run (`trace/events`): what that read is read ahead in the same order," \
			 " random or not, as long as the program keeps to it.")

#define MIO_RECOV_OPTION_LIST(X) \
	/* writes that find no space are tried again; off: a part is enough */ \
	X(FULLWRITE, MIO_ROW_FLAG("fullwrite", "partialwrite", ON), .since = "0.1.0", \
	  .description = "A write that finds no space is tried again; `partialwrite` takes what was written.") \
	/* messages; the text is the file, mioout for that of MIO_STATS */ \
	X(STATS, MIO_ROW_STATS("Messages about each attempt, and where they go."), .since = "0.1.0") \
	/* the text is the shell command to run after a failed write */ \
	X(COMMAND, MIO_ROW_STRING("command"), .preset = "ls -l", .preset_setting = MIO_SETTING_ON, .since = "0.1.0", \
	  .description = "Shell command to run when a write failed.") \
	/* the text is the shell command to run after a failed open */ \
	X(OPEN_COMMAND, MIO_ROW_STRING("open_command"), .preset = "echo connection refused", \
	  .preset_setting = MIO_SETTING_ON, .since = "0.1.0", \
	  .description = "Shell command to run when an open was refused (connection refused).") \
	/* further attempts */ \
	X(RETRY, MIO_ROW_NUMBER("retry", INTEGER, 0, INT64_C(1) << 30, "", "1"), .since = "0.1.0", \
	  .description = "Number of further attempts.")

#define MIO_OS_OPTION_LIST(X) \
	/* prints a line for each open and close */ \
	X(DEBUG, MIO_ROW_FLAG("debug", "nodebug", OFF), .since = "0.1.0", \
	  .description = "Prints a line when a file is opened and closed.") \
	/* truncations are carried out */ \
	X(TRUNC, MIO_ROW_FLAG("trunc", "notrunc", ON), .since = "0.1.0", \
	  .description = "Carries out truncations; `notrunc` leaves them out.") \
	/* size of a sector, bytes; 0: what the file system says */ \
	X(SECTOR_SIZE, MIO_ROW_NUMBER("sector_size", SIZE, 0, INT64_C(1) << 30, "bytes", "0"), .since = "0.1.0", \
	  .description = "Size of a sector, the unit in which pages are read and written; 0 means what the file system says.") \
	/* accepted and shown; has no effect */ \
	X(EINPROGRESS, MIO_ROW_NUMBER("einprogress", INTEGER, 0, INT64_C(1) << 30, "", "60"), .since = "0.1.0", \
	  .description = "Accepted and shown, without effect: the original shows it and does not explain it.")

#define MIO_MIO_OPTION_ENUM(name, ...) MIO_MIO_OPTION_##name,
#define MIO_TRACE_OPTION_ENUM(name, ...) MIO_TRACE_OPTION_##name,
#define MIO_PF_OPTION_ENUM(name, ...) MIO_PF_OPTION_##name,
#define MIO_RECOV_OPTION_ENUM(name, ...) MIO_RECOV_OPTION_##name,
#define MIO_OS_OPTION_ENUM(name, ...) MIO_OS_OPTION_##name,
enum mio_mio_option { MIO_MIO_OPTION_LIST(MIO_MIO_OPTION_ENUM) MIO_MIO_OPTIONS };
enum mio_trace_option { MIO_TRACE_OPTION_LIST(MIO_TRACE_OPTION_ENUM) MIO_TRACE_OPTIONS };
enum mio_pf_option { MIO_PF_OPTION_LIST(MIO_PF_OPTION_ENUM) MIO_PF_OPTIONS };
enum mio_recov_option { MIO_RECOV_OPTION_LIST(MIO_RECOV_OPTION_ENUM) MIO_RECOV_OPTIONS };
enum mio_os_option { MIO_OS_OPTION_LIST(MIO_OS_OPTION_ENUM) MIO_OS_OPTIONS };

enum { MIO_LAYER_OPTIONS_MAX = MIO_PF_OPTIONS };

/* X(NAME): words of MIO_DEBUG. */
#define MIO_DEBUG_LIST(X) \
	X(ALL)		/* all other keywords but ABORT */ \
	X(ENV)		/* which rule and which name matched */ \
	X(OPEN)		/* every file that is opened */ \
	X(MODULES)	/* the layers of every file that is opened, with all options */ \
	X(TIMESTAMP)	/* the time before each entry */ \
	X(DEF)		/* the option tables of the layers */ \
	X(MATCH)	/* accepted, without effect; the original prints nothing for it */ \
	X(ABORT)	/* a mistake in the configuration ends a program under the preload library */

#define MIO_DEBUG_ENUM(name) MIO_DEBUG_##name,
enum mio_debug_keyword { MIO_DEBUG_LIST(MIO_DEBUG_ENUM) MIO_DEBUG_KEYWORDS };

/* Name of a layer, for example trace. */
const char *mio_layer_kind_id(enum mio_layer_kind kind);

/* Number of options of a layer. An option is a number from 0 up to, but not including, this number. */
int mio_layer_option_count(enum mio_layer_kind kind);

/* A row of a layer's table. */
const struct mio_option *mio_layer_option(enum mio_layer_kind kind, int option);

/* The word for a kind of option: flag, choice, size, integer, string or range. */
const char *mio_option_kind_word(enum mio_option_kind kind);

/* The word at index (from 0) among all words that set the option, in the table's order; NULL after the last. */
const char *mio_option_word(const struct mio_option *option, int index);

/* 1 if a value must follow the name. */
int mio_option_needs_value(const struct mio_option *option);

/* 1 if a value may follow the name. */
int mio_option_takes_value(const struct mio_option *option);

/* The name at index (from 0) among all names of layers that can be typed, and in *kind the layer it names; NULL after the last. */
const char *mio_layer_name(int index, enum mio_layer_kind *kind);

/* The keyword as typed, for example OPEN. */
const char *mio_debug_keyword_name(enum mio_debug_keyword keyword);

#endif
