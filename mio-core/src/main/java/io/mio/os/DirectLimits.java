package io.mio.os;

/**
 * The limits that direct I/O on one file sets for a request, as far as the file system tells them.
 * Source: statx(2), STATX_DIOALIGN.
 *
 * @param isTold whether kernel and file system told anything; if not, both figures are 0 and only
 *     trying shows what works
 * @param memAlignBytes alignment of the buffer's address; 0 when told: the file takes no direct I/O
 * @param offsetAlignBytes alignment of the offset in the file and of the length; 0 as for {@code
 *     memAlignBytes}
 */
public record DirectLimits(boolean isTold, int memAlignBytes, int offsetAlignBytes) {}
