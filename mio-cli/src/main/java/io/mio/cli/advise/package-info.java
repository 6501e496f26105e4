/**
 * {@code mio advise}: what a program does with each file, and which rule would help. {@link
 * io.mio.cli.advise.FileProfile} has what the program does. {@link io.mio.cli.advise.Candidates}
 * and {@link io.mio.cli.advise.Choice} choose rules, and are pure; {@link
 * io.mio.cli.advise.Advisor} has them tried by the replay of {@code mio simulate}.
 */
package io.mio.cli.advise;
