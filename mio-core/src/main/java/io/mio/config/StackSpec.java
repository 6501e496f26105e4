package io.mio.config;

import java.util.List;

/**
 * The layers a rule asks for.
 *
 * @param text the module list as typed, without blanks, for example {@code trace/stats/kbytes}
 * @param layers from the program down
 */
public record StackSpec(String text, List<LayerSpec> layers) {}
