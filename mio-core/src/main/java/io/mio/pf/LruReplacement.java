package io.mio.pf;

/** Lets the page used longest ago give way, as the original does (reference 5.1). */
final class LruReplacement extends Replacement {
    private final PageList pages = new PageList(PageList.REPLACEMENT);

    @Override
    void added(Page page) {
        pages.addLast(page);
    }

    @Override
    void touched(Page page, boolean byProgram) {
        pages.moveLast(page);
    }

    @Override
    void removed(Page page) {
        pages.remove(page);
    }

    @Override
    int kept() {
        return 0;
    }

    @Override
    Page first() {
        return pages.first();
    }

    @Override
    Page after(Page page) {
        return pages.after(page);
    }
}
