package io.mio.pf;

/** A list of pages, linked through the pages themselves, oldest first. */
final class PageList {
    /** Kind of list: the pages of a replacement. */
    static final int REPLACEMENT = 0;

    /** Kind of list: the dirty pages of a cache. */
    static final int DIRTY = 1;

    /** Kind of list: the pages of a file. */
    static final int FILE = 2;

    /** Kind of list: the dirty pages of a file. */
    static final int FILE_DIRTY = 3;

    /** Number of kinds: a page can be in one list of each at the same time. */
    static final int KINDS = 4;

    private final int kind;
    private Page first;
    private Page last;
    private int size;

    PageList(int kind) {
        this.kind = kind;
    }

    int size() {
        return size;
    }

    /** The oldest page, or null. */
    Page first() {
        return first;
    }

    /** The youngest page, or null. */
    Page last() {
        return last;
    }

    /** The next older page, or null. */
    Page before(Page page) {
        return page.before[kind];
    }

    /** The next younger page, or null. */
    Page after(Page page) {
        return page.after[kind];
    }

    void addLast(Page page) {
        page.before[kind] = last;
        page.after[kind] = null;
        if (last == null) {
            first = page;
        } else {
            last.after[kind] = page;
        }
        last = page;
        size++;
    }

    void addFirst(Page page) {
        page.before[kind] = null;
        page.after[kind] = first;
        if (first == null) {
            last = page;
        } else {
            first.before[kind] = page;
        }
        first = page;
        size++;
    }

    void remove(Page page) {
        Page before = page.before[kind];
        Page after = page.after[kind];
        if (before == null) {
            first = after;
        } else {
            before.after[kind] = after;
        }
        if (after == null) {
            last = before;
        } else {
            after.before[kind] = before;
        }
        page.before[kind] = null;
        page.after[kind] = null;
        size--;
    }

    void moveLast(Page page) {
        if (page != last) {
            remove(page);
            addLast(page);
        }
    }
}
