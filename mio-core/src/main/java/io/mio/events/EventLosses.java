package io.mio.events;

/**
 * What a file does not tell.
 *
 * @param dropped events that could not be recorded, or were too many
 * @param cutBytes bytes that are missing of the last block: the file was cut
 * @param missingBlocks blocks that processes claimed and that are not in the file; some were given
 *     back or never begun, so these need not be a loss
 * @param damagedBlocks blocks whose header is lost, with all their records; what was appended to
 *     the file counts as one
 * @param damagedRecords records that make no sense, or are lost between others
 * @param unknownRecords records of types and operations that this version does not know
 * @param unknownBlocks blocks of kinds that this version does not know
 * @param undefinedFiles definitions that were not kept, because they are too many
 */
public record EventLosses(
        long dropped,
        long cutBytes,
        long missingBlocks,
        long damagedBlocks,
        long damagedRecords,
        long unknownRecords,
        long unknownBlocks,
        long undefinedFiles) {}
