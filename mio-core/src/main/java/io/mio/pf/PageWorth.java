package io.mio.pf;

import java.io.IOException;

/**
 * Whether the pages that an open under {@code pf/auto} has got are worth what they read. One for
 * each kind of them; counts that threads lose to each other do no harm.
 */
interface PageWorth {
    /** Why nothing may be kept. */
    String PAST = "others write the file past MIO, or have it mapped";

    /** A read of {@code length} bytes is about to be made: false if they are of no use any more. */
    boolean serves(long length);

    /** Why they are not, in words. */
    String words();

    /** Of small requests: as many of them as make up for the page reads. */
    final class OfRequests implements PageWorth {
        /** Requests from one look to the next. */
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

        /** So many page reads that the rest of the requests cannot make up for them. */
        private boolean hasReadTooMuch() {
            return !PageChoice.isWorth(JUDGED_REQUESTS, below.reads() - before);
        }

        /** Of threads that come together one judges; to the next one nothing is left. */
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

        /** True if it was just looked closely whether they do, which is seldom. */
        boolean isJudged() {
            return requests == 0;
        }

        /** Then: how many requests of the program there were since it was looked before. */
        long requests() {
            return judgedRequests;
        }

        /** And how many page reads. */
        long pageReads() {
            return judgedReads;
        }

        @Override
        public String words() {
            return words;
        }
    }

    /**
     * Of pages past the kernel's cache: bytes of the program for bytes that pages read, and memory
     * that nobody else needs.
     */
    final class OfBytes implements PageWorth {
        private final PfLayer pages;
        private final PagesBelow below;
        private final DirectLook look;
        private final DirectSizes sizes;
        private final long cacheBytes;
        private long bytes;
        private long before;

        /** With so many page reads behind that it is looked at. */
        private volatile long due;

        /** Page reads up to the last look: so much of the memory has been used, or all. */
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
            if (pages.isPast()) {
                // Each request would go to the device.
                words = PAST;
                return false;
            }
            bytes += length;
            return below.bytes() - before < due || judge();
        }

        /** As that of requests. */
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
                if (!DirectChoice.isWorth(asked, read)) {
                    words =
                            "no longer read at length: "
                                    + asked / DirectSizes.MIB
                                    + " MiB took "
                                    + read / DirectSizes.MIB
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

        /** For the pages, and none that could keep the file as well. */
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
                // The program's own request meets it.
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
