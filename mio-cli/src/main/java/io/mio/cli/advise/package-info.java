/**
 * {@code mio advise}: what a program does with each file, and which rule would help. What is seen
 * is in {@link io.mio.cli.advise.FileProfile}; rules are chosen by {@link
 * io.mio.cli.advise.Candidates} and {@link io.mio.cli.advise.Choice}, which are pure; {@link
 * io.mio.cli.advise.Advisor} has them tried by {@code mio simulate}'s replay.
 */
package io.mio.cli.advise;
