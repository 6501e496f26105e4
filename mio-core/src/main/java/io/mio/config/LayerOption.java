package io.mio.config;

import java.util.List;

/**
 * One option of one layer: a row of the layer's table, and a place in its echo.
 *
 * <p>The tables are {@link MioOption}, {@link TraceOption}, {@link PfOption}, {@link RecovOption}
 * and {@link OsOption}; their order is the order of the echo. Options of the original are those of
 * AIX MIO; the others are extensions of ours, which never change what an abbreviation of the
 * original's options means.
 */
public sealed interface LayerOption
        permits MioOption, TraceOption, PfOption, RecovOption, OsOption {

    /** Everything the table says of this option. */
    OptionTraits traits();

    /** Position in the table of the layer, 0-based. */
    int ordinal();

    /** Name as it is typed and echoed, for example {@code cache_size}. */
    default String id() {
        return traits().id();
    }

    /** What can be typed for it. */
    default OptionKind kind() {
        return traits().kind();
    }

    /** What the echo shows when nobody sets it, for example {@code stats={mioout}}; may be "". */
    default String defaultEcho() {
        return traits().defaults().echo(traits());
    }

    /** Unit of the number, for example {@code bytes}; "" where there is none. */
    default String unit() {
        return traits().unit();
    }

    /** Smallest number allowed, in {@link #unit}. */
    default long min() {
        return traits().min();
    }

    /** Largest number allowed, in {@link #unit}. */
    default long max() {
        return traits().max();
    }

    /** Every word that sets this option, in the table's order. */
    default List<String> words() {
        return traits().words();
    }

    /** What it does, one or two sentences. */
    default String description() {
        return traits().description();
    }

    /** True if the original does not have it. */
    default boolean isExtension() {
        return traits().isExtension();
    }

    /** Version of MIO that carries it out first, or "" if none does yet. */
    default String availableSince() {
        return traits().availableSince();
    }
}
