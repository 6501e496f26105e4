package io.mio.pf;

import java.io.IOException;

/**
 * Judges whether the pages that an open under {@code pf/auto} has got are worth what they read.
 * There is one implementation for each kind of pages. Counts that threads lose to each other do no
 * harm.
 */
interface PageWorth {
    /** Judges before a read of {@code length} bytes: false if the pages are of no use any more. */
    boolean serves(long length);

    /** Why the pages are of no use, in words. */
    String words();

    /** Judges small pages: there have to be enough small requests to make up for the page reads. */
    final class OfRequests implements PageWorth {
        /** Requests from one judgement to the next. */
        private static final int JUDGED_REQUESTS = 4096;

        private final PagesBelow below;
        private int requests;
        private int judgedRequests;
        private long judgedReads;
        private long before;
        private String words;

        OfRequests(PagesBelow below) {
            this.below = below;
            this.before = below.reads();
        }

        @Override
        public boolean serves(long length) {
            return (++requests < JUDGED_REQUESTS && !hasReadTooMuch()) || judge();
        }

        /** True after so many page reads that the rest of the requests cannot make up for them. */
        private boolean hasReadTooMuch() {
            return !PageChoice.isWorth(JUDGED_REQUESTS, below.reads() - before);
        }

        /**
         * Judges: of threads that come together the first one does, which leaves the others nothing
         * to judge.
         */
        private synchronized boolean judge() {
            int asked = requests;
            if (asked < JUDGED_REQUESTS && !hasReadTooMuch()) {
                return true;
            }
            long reads = below.reads() - before;
            boolean serves = PageChoice.isWorth(asked, reads);
            if (!serves) {
                words =
                        "no longer near each other: "
                                + asked
                                + " requests took "
                                + reads
                                + " page reads";
            }
            judgedRequests = asked;
            judgedReads = reads;
            requests = 0;
            before += reads;
            return serves;
        }

        /** True right after a judgement, which is seldom. */
        boolean isJudged() {
            return requests == 0;
        }

        /** Right after a judgement: requests of the program that it judged. */
        long requests() {
            return judgedRequests;
        }

        /** Right after a judgement: page reads that it judged. */
        long pageReads() {
            return judgedReads;
        }

        @Override
        public String words() {
            return words;
        }
    }

    /**
     * Judges pages past the kernel's cache: by the bytes of the program for the bytes that pages
     * read, and by whether anybody else needs the memory.
     */
    final class OfBytes implements PageWorth {
        private final PfLayer pages;
        private final PagesBelow below;
        private final DirectLook look;
        private final DirectSizes sizes;
        private final long cacheBytes;
        private long bytes;
        private long before;

        /** Bytes of page reads since {@code before} at which the next look is due. */
        private volatile long due;

        /** Bytes of pages that were ahead of the program at the last judgement. */
        private long ahead;

        /**
         * Bytes of page reads up to the last look: as much of the memory has been used, or all of
         * it.
         */
        private long touched;

        private int looks;
        private String words;

        OfBytes(PfLayer pages, PagesBelow below, DirectLook look, DirectSizes sizes) {
            this.pages = pages;
            this.below = below;
            this.look = look;
            this.sizes = sizes;
            this.cacheBytes = (long) pages.frames() * pages.pageBytes();
            this.due = sizes.fill();
        }

        @Override
        public boolean serves(long length) {
            bytes += length;
            return below.bytes() - before < due || judge();
        }

        /** Judges like {@link OfRequests}: one thread of those that come together does. */
        private synchronized boolean judge() {
            long asked = bytes;
            long read = below.bytes() - before;
            if (read < due) {
                return true;
            }
            // Memory that is touched for the first time is what others may lack.
            boolean fills = touched < cacheBytes;
            touched = before + read;
            long counted = read;
            if (read >= sizes.judged()) {
                bytes = 0;
                before += read;
                counted = 0;
                // What is ahead counts once it is used, or has given way unused.
                // Other opens of the file may have pages ahead, too.
                long aheadNow = Math.min(pages.aheadBytes(), read + ahead);
                long served = read + ahead - aheadNow;
                ahead = aheadNow;
                if (!DirectChoice.isWorth(asked, served)) {
                    words =
                            "no longer read at length: "
                                    + asked / DirectSizes.MIB
                                    + " MiB took "
                                    + served / DirectSizes.MIB
                                    + " MiB of page reads";
                    return false;
                }
            }
            due =
                    touched < cacheBytes
                            ? Math.min(counted + sizes.fill(), sizes.judged())
                            : sizes.judged();
            return !(fills || (counted == 0 && ++looks % sizes.roomLooks() == 0)) || hasRoom();
        }

        /** True if there is room for the pages, but not enough to keep the whole file. */
        private boolean hasRoom() {
            long room = look.roomNow();
            if (!DirectChoice.mayKeep(room, cacheBytes, touched)) {
                words =
                        "the memory is needed: "
                                + room / DirectSizes.MIB
                                + " MiB are left for files";
                return false;
            }
            long size;
            try {
                size = below.size();
            } catch (IOException e) {
                // The program's own request meets the error.
                return true;
            }
            if (DirectSizes.fits(size, room)) {
                words =
                        "the file ("
                                + size / DirectSizes.MIB
                                + " MiB) fits the memory that could keep it by now ("
                                + room / DirectSizes.MIB
                                + " MiB)";
                return false;
            }
            return true;
        }

        @Override
        public String words() {
            return words;
        }
    }
}
