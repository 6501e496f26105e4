package io.mio.cli.experiment;

import io.mio.cli.plot.draw.LineChart;
import java.util.List;

/**
 * A picture of a result.
 *
 * @param id part of the file's name; empty if it is the only picture
 * @param below what the categories are
 */
public record Chart(String id, String title, List<LineChart.Plot> plots, String below) {}
