package io.mio.config;

/** One layer of a rule with all its options: built-in defaults, MIO_DEFAULTS, then the rule. */
public final class LayerSpec {
    private final LayerKind kind;
    private final String typedName;
    private final TextPlace place;
    private final OptionValue[] values;

    LayerSpec(LayerKind kind, String typedName, TextPlace place, OptionValue[] values) {
        this.kind = kind;
        this.typedName = typedName;
        this.place = place;
        this.values = values;
    }

    /** Which layer. */
    public LayerKind kind() {
        return kind;
    }

    /** True for a layer that is a cache from the open on: pf, and not {@code pf/auto}. */
    public boolean isCache() {
        return kind == LayerKind.PF && !isOn(PfOption.AUTO);
    }

    /**
     * True for {@code pf/auto}, which has no pages at first: it tells the kernel what will be read,
     * and may take pages later.
     */
    public boolean isAuto() {
        return kind == LayerKind.PF && isOn(PfOption.AUTO);
    }

    /** Name as typed, for example {@code aix}; {@code mio} or {@code os} where it was implied. */
    public String typedName() {
        return typedName;
    }

    /**
     * Returns every option of the original, in its order, then the extensions that were set, for
     * example {@code trace/stats={mioout}/noevents/kbytes/nointer}.
     */
    public String echo() {
        StringBuilder echo = new StringBuilder(typedName);
        for (LayerOption option : kind.options()) {
            if (option.isExtension() && !isTyped(option)) {
                continue;
            }
            String part = values[option.ordinal()].echo(option.traits());
            if (!part.isEmpty()) {
                echo.append('/').append(part);
            }
        }
        return echo.toString();
    }

    /** The option as it is typed, for example {@code cache_size=100m}; "" if it is left alone. */
    public String echo(LayerOption option) {
        return value(option).echo(option.traits());
    }

    /**
     * Where the option was set: {@link MioConfig#origin} of the rules or of the defaults; "" for a
     * built-in default.
     */
    public String origin(LayerOption option) {
        TextPlace at = place(option);
        return at == null ? "" : at.origin();
    }

    /**
     * Column in the text of {@link #origin} where it was set, 1-based; 0 for a built-in default.
     */
    public int column(LayerOption option) {
        TextPlace at = place(option);
        return at == null ? 0 : at.column();
    }

    /**
     * True if the option is on: a flag that is on, {@code stats} and not {@code nostats}, a number
     * or text that is there. False if it is off or left alone.
     */
    public boolean isOn(LayerOption option) {
        return value(option).setting() == OptionValue.Setting.ON;
    }

    /** True unless the option is left alone: {@code direct} and {@code nodirect} both set it. */
    public boolean isSet(LayerOption option) {
        return value(option).setting() != OptionValue.Setting.UNSET;
    }

    /** True if the rule or MIO_DEFAULTS name the option. */
    public boolean isTyped(LayerOption option) {
        return value(option).place() != null;
    }

    /**
     * Number of a size or an integer in {@link LayerOption#unit}, first number of a range; -1 where
     * there is none.
     */
    public long number(LayerOption option) {
        return value(option).number();
    }

    /** Second number of a range in {@link LayerOption#unit}; -1 where there is none. */
    public long secondNumber(LayerOption option) {
        return value(option).second();
    }

    /** Value as typed, without braces; word of a choice; "" where there is none. */
    public String text(LayerOption option) {
        return value(option).text();
    }

    /** Returns the {@link #echo}. */
    @Override
    public String toString() {
        return echo();
    }

    /** Where the layer was typed, or where it was implied. */
    TextPlace place() {
        return place;
    }

    /** Where the option was set, or null. */
    TextPlace place(LayerOption option) {
        return value(option).place();
    }

    OptionValue[] copyOfValues() {
        return values.clone();
    }

    private OptionValue value(LayerOption option) {
        if (kind.options().get(option.ordinal()) != option) {
            throw new IllegalArgumentException(kind.id() + " has no option " + option.id());
        }
        return values[option.ordinal()];
    }
}
