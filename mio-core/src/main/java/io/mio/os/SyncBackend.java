package io.mio.os;

/** Does each request in the thread that submits it; other backends are compared with this one. */
final class SyncBackend extends IoBackend {
    SyncBackend() {
        super("sync");
    }

    @Override
    boolean isAsynchronous() {
        return false;
    }

    @Override
    void submit(Transfer transfer) {
        transfer.runAndComplete();
    }
}
