/**
 * What {@code mio bench experiment} does: the set-ups of the documents on the original, on this
 * machine, with their figures beside it. An {@link io.mio.cli.experiment.Experiment} asks one
 * question and gives a {@link io.mio.cli.experiment.Result}; {@link
 * io.mio.cli.experiment.ExperimentRun} runs them and writes their files. Read these three first.
 */
package io.mio.cli.experiment;
