package io.mio.recov;

/**
 * Options of a recov layer (reference 3.4).
 *
 * @param name name of the layer as typed
 * @param fullWrite a write must be whole: one that finds no space is tried again
 * @param command shell command to run after a failed write
 * @param openCommand shell command to run after a refused open
 * @param retry further attempts per call
 * @param target file of the messages, {@link io.mio.stats.StatsOutput#MIOOUT}, or null for none
 */
public record RecovOptions(
        String name,
        boolean fullWrite,
        String command,
        String openCommand,
        long retry,
        String target) {}
