/**
 * {@code mio bench experiment}: the set-ups of the documents on the original, on this machine,
 * beside the documents' figures. An {@link io.mio.cli.experiment.Experiment} asks one question and
 * gives a {@link io.mio.cli.experiment.Result}; {@link io.mio.cli.experiment.ExperimentRun} runs
 * them and writes their files. Read these three first.
 */
package io.mio.cli.experiment;
