package io.mio.config;

import java.util.List;

/**
 * The layers a rule asks for.
 *
 * @param text the module list as typed, without blanks, for example {@code trace/stats/kbytes}
 * @param layers from the program down; the first is {@code mio} and the last {@code os}, typed or
 *     not
 */
public record StackSpec(String text, List<LayerSpec> layers) {

    /**
     * Reads a module list without its brackets, for example {@code trace/stats | os}, over the
     * built-in defaults.
     *
     * @param origin name of the text in messages
     * @throws ConfigException if it is not a module list
     */
    public static StackSpec parse(String origin, String text) {
        return new ConfigParser(origin, text, new LayerDefaults()).modules();
    }

    /**
     * True for {@code [ os ]} and every rule that comes to the same. Such a file gets the
     * platform's own objects, so a rule can keep those files away from MIO whose channels a program
     * inspects.
     */
    public boolean isPlain() {
        return layers.size() == 2 && endsAreUnset();
    }

    /** True for {@code [ pf/auto ]} and every rule that comes to the same. */
    public boolean isAutoAlone() {
        return layers.size() == 3 && layers.get(1).isAuto() && endsAreUnset();
    }

    /** Whether the first and the last layer change nothing. */
    private boolean endsAreUnset() {
        LayerSpec front = layers.get(0);
        LayerSpec os = layers.get(layers.size() - 1);
        return !front.isOn(MioOption.MODE)
                && !front.isSet(MioOption.DIRECT)
                && !front.isSet(MioOption.OSYNC)
                && !front.isTyped(MioOption.CIO)
                && os.isOn(OsOption.TRUNC)
                && !os.isOn(OsOption.DEBUG);
    }
}
