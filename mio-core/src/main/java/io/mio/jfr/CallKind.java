package io.mio.jfr;

import io.mio.layer.Layer.Bypass;

/** Calls of a program that may be slow. */
public enum CallKind {
    READ("read"),
    WRITE("write"),
    /** An asynchronous read, from the call to its completion. */
    AREAD("aread"),
    /** An asynchronous write, from the call to its completion. */
    AWRITE("awrite"),
    SIZE("size"),
    TRUNCATE("truncate"),
    SYNC("sync"),
    LOCK("lock"),
    UNLOCK("unlock"),
    MAP("map"),
    /** Bytes of the file go elsewhere. */
    TRANSFER_OUT("transfer out"),
    /** Bytes from elsewhere come into the file. */
    TRANSFER_IN("transfer in");

    private final String label;

    CallKind(String label) {
        this.label = label;
    }

    /** Returns the kind for a call that goes past the layers. */
    public static CallKind of(Bypass kind) {
        return switch (kind) {
            case LOCK -> LOCK;
            case UNLOCK -> UNLOCK;
            case MAP_READ, MAP_WRITE -> MAP;
            case TRANSFER_OUT -> TRANSFER_OUT;
            case TRANSFER_IN -> TRANSFER_IN;
        };
    }

    /** Word for it in the event. */
    String label() {
        return label;
    }
}
