/**
 * {@code mio stats}: reads reports of both forms, adds them up by file, program and process in
 * bounded memory, and shows them as a table with notes, as CSV, JSON or OpenMetrics text. Lines
 * come in by {@link io.mio.cli.stats.InputReader}, become {@link io.mio.cli.stats.Counts}, are
 * added up in {@link io.mio.cli.stats.RunStats}, and leave as {@link io.mio.cli.stats.Rows}. Begin
 * with {@link io.mio.cli.stats.StatsReport}.
 */
package io.mio.cli.stats;
