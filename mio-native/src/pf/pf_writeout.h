#ifndef MIO_PF_WRITEOUT_H
#define MIO_PF_WRITEOUT_H

struct mio_pf_cache;
struct mio_pf_file;
struct mio_pf_page;

/*
 * Writes dirty sectors to the next layer: behind the program, at once, or all of a file. While a write of a page is on its way, no thread changes the page, so
 * that checksums and mirrors below see one and the same content. Twin of WriteOut. "With the lock": that of the cache, which is released meanwhile.
 */

/* Writes a page in the caller's thread. With the lock. */
void mio_pf_writeout_now(struct mio_pf_page *page);
/*
 * Writes a page that must give way in the caller's thread and, at the same time, behind the program, the pages that will have to give way soon. Otherwise each
 * of these would be waited for alone. With the lock.
 */
void mio_pf_writeout_leaving(struct mio_pf_page *page);
/* Starts to write a dirty page. With the lock. */
void mio_pf_writeout_behind(struct mio_pf_page *page);

/*
 * Writes all pages of a file that are dirty at the time of the call, and waits until the bytes are with the next layer. The last page is written in the
 * caller's thread while the others are on their way. Without the lock, with the cache held. 0, or -errno if a page could not be written; that page stays dirty.
 */
int mio_pf_writeout_all(struct mio_pf_file *file, struct mio_pf_cache *cache);

/* The same, but pages that could not be written before are left as they are. */
int mio_pf_writeout_rest(struct mio_pf_file *file, struct mio_pf_cache *cache);

/* As mio_pf_writeout_all, for a caller that does not hold the cache; 0 if the file has none. */
int mio_pf_writeout_file(struct mio_pf_file *file);

#endif
