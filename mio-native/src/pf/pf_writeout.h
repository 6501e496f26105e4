#ifndef MIO_PF_WRITEOUT_H
#define MIO_PF_WRITEOUT_H

struct mio_pf_cache;
struct mio_pf_file;
struct mio_pf_page;

/*
 * Brings dirty sectors to the next layer: behind the program's back, at once, or all of a file. While a write is on its
 * way nobody changes the page, so that checksums and mirrors below see one and the same content. Twin of WriteOut.
 */

/* Writes a page in the caller's thread; with the lock, which is given up meanwhile. */
void mio_pf_writeout_now(struct mio_pf_page *page);
/*
 * Writes a page that has to give way in the caller's thread, and those that will have to soon beside it, behind: the other
 * way round each would be waited for alone. With the lock, which is given up meanwhile.
 */
void mio_pf_writeout_leaving(struct mio_pf_page *page);
/* Starts to write a dirty page; with the lock, which is given up meanwhile. */
void mio_pf_writeout_behind(struct mio_pf_page *page);

/*
 * Writes all that is dirty in a file when this is called, and waits until it is with the next layer. The last page is
 * written in the caller's thread while the others are on their way. Without the lock, with the cache held. 0, or
 * -errno if a page could not be written; it stays dirty.
 */
int mio_pf_writeout_all(struct mio_pf_file *file, struct mio_pf_cache *cache);

/* The same without pages that could not be written before: they stay as they are. */
int mio_pf_writeout_rest(struct mio_pf_file *file, struct mio_pf_cache *cache);

/* The same for who does not hold the cache; 0 if the file has none. */
int mio_pf_writeout_file(struct mio_pf_file *file);

#endif
