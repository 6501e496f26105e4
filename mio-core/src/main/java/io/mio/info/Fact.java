package io.mio.info;

import java.util.Objects;

/**
 * One thing that was found out, or could not be.
 *
 * @param group what it is about
 * @param name in snake_case with the unit last, unique in its group: for programs
 * @param label for people
 * @param unit how the value is meant
 * @param value a {@link Long} for bytes and counts, a {@link Boolean}, a {@link Double} of 0 to 1
 *     for a share, or a {@link String}; {@link #UNLIMITED} is a value of every unit; null if it is
 *     not known or there is no such thing
 * @param note why the value is what it is, or is not known; null if there is nothing to say. May
 *     hold names of files, with any characters
 */
public record Fact(Group group, String name, String label, Unit unit, Object value, String note) {
    /** Value of a limit that does not exist. */
    public static final String UNLIMITED = "unlimited";

    /** Subjects of facts, in the order in which they are told. */
    public enum Group {
        MACHINE,
        ENGINE,
        MEMORY,
        FILE,
        IO,
        FILE_SYSTEM,
        DEVICE
    }

    /** How a value is meant. */
    public enum Unit {
        TEXT,
        BYTES,
        COUNT,
        YES_NO,
        SHARE
    }

    public Fact {
        Objects.requireNonNull(group);
        Objects.requireNonNull(name);
        Objects.requireNonNull(label);
        Objects.requireNonNull(unit);
    }

    /** Whether there is a value. */
    public boolean isKnown() {
        return value != null;
    }
}
