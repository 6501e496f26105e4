package io.mio.config;

import java.util.ArrayList;
import java.util.List;

/**
 * What the table of a layer says about one option.
 *
 * <p>The table fills it in while its enum is made; it is read-only from then on.
 */
public final class OptionTraits {
    private final String id;
    private final OptionKind kind;
    private String offWord = "";
    private String offAlias = "";
    private String bareValue;
    private List<String> choices = List.of();
    private boolean keyed;
    private boolean octal;
    private boolean auto;
    private boolean braced;
    private boolean emptyAllowed;
    private long min;
    private long max = Long.MAX_VALUE;
    private String unit = "";
    private String description = "";
    private boolean extension;
    private String availableSince = "";
    private OptionValue defaults = OptionValue.unset();

    private OptionTraits(String id, OptionKind kind) {
        this.id = id;
        this.kind = kind;
    }

    // ---- the making of a table row

    static OptionTraits flag(String id, boolean on) {
        OptionTraits row = triState(id);
        row.defaults = on ? OptionValue.on() : OptionValue.off();
        return row;
    }

    /** A flag that leaves things as they are unless it is typed. */
    static OptionTraits triState(String id) {
        return new OptionTraits(id, OptionKind.FLAG).off("no".concat(id));
    }

    /** A choice whose words are typed alone; the first is the default. */
    static OptionTraits choice(String id, String... words) {
        OptionTraits row = new OptionTraits(id, OptionKind.CHOICE);
        row.choices = List.of(words);
        row.defaults = OptionValue.text(words[0]);
        return row;
    }

    /** A choice typed {@code id=word}; the first is the default. */
    static OptionTraits keyedChoice(String id, String... words) {
        OptionTraits row = choice(id, words);
        row.keyed = true;
        return row;
    }

    static OptionTraits number(String id, OptionKind kind, long min, long max, String unit) {
        OptionTraits row = new OptionTraits(id, kind);
        row.min = min;
        row.max = max;
        row.unit = unit;
        return row;
    }

    static OptionTraits string(String id) {
        OptionTraits row = new OptionTraits(id, OptionKind.STRING);
        row.braced = true;
        return row;
    }

    /** The unit of a report. */
    static OptionTraits reportUnit() {
        return choice("unit", "bytes", "kbytes", "mbytes", "gbytes", "tbytes");
    }

    /** The option for a layer's report: {@code stats}, {@code stats=file} or {@code nostats}. */
    static OptionTraits stats(String contents) {
        return string("stats")
                .bare("mioout")
                .off("nostats")
                .preset("mioout")
                .says(
                        contents.concat(
                                " `mioout` means the file that `MIO_STATS` names. On unless"
                                        + " switched off (the original's papers do not say which"
                                        + " holds)."));
    }

    /** Sets the value meant when the name is typed without one. */
    OptionTraits bare(String value) {
        bareValue = value;
        return this;
    }

    OptionTraits off(String word) {
        offWord = word;
        return this;
    }

    OptionTraits offAlias(String word) {
        offAlias = word;
        return this;
    }

    OptionTraits octal() {
        octal = true;
        return this;
    }

    /** Allows the word {@code auto} instead of the number. */
    OptionTraits auto() {
        auto = true;
        return this;
    }

    OptionTraits braced() {
        braced = true;
        return this;
    }

    OptionTraits emptyAllowed() {
        emptyAllowed = true;
        return this;
    }

    /** Sets the default that holds unless the option is set. */
    OptionTraits preset(String text) {
        defaults = OptionReader.read(this, text);
        return this;
    }

    OptionTraits presetOff() {
        defaults = OptionValue.off();
        return this;
    }

    OptionTraits since(String version) {
        availableSince = version;
        return this;
    }

    OptionTraits extension() {
        extension = true;
        return this;
    }

    OptionTraits says(String text) {
        description = text;
        return this;
    }

    // ---- what others read

    /** Name as it is typed and echoed. */
    public String id() {
        return id;
    }

    /** What can be typed for it. */
    public OptionKind kind() {
        return kind;
    }

    /** Word that switches it off, or "". */
    public String offWord() {
        return offWord;
    }

    /** Words of a choice, the default first. */
    public List<String> choices() {
        return choices;
    }

    /** True if a word of the choice is typed behind {@code id=}. */
    public boolean isKeyed() {
        return keyed;
    }

    /** True if a value must follow the name. */
    public boolean needsValue() {
        return kind != OptionKind.FLAG && bareValue == null && (kind != OptionKind.CHOICE || keyed);
    }

    /** True if a value may follow the name. */
    public boolean takesValue() {
        return kind != OptionKind.FLAG && (kind != OptionKind.CHOICE || keyed);
    }

    /** Value meant when the name is typed without one, or null. */
    public String bareValue() {
        return bareValue;
    }

    /** True if {@code auto} may be typed for the number. */
    public boolean isAutoAllowed() {
        return auto;
    }

    /** Every word that sets this option, in the table's order. */
    public List<String> words() {
        List<String> words = new ArrayList<>();
        if (kind == OptionKind.CHOICE && !keyed) {
            words.addAll(choices);
        } else {
            words.add(id);
        }
        if (!offWord.isEmpty()) {
            words.add(offWord);
        }
        if (!offAlias.isEmpty()) {
            words.add(offAlias);
        }
        return words;
    }

    long min() {
        return min;
    }

    long max() {
        return max;
    }

    String unit() {
        return unit;
    }

    String description() {
        return description;
    }

    boolean isExtension() {
        return extension;
    }

    String availableSince() {
        return availableSince;
    }

    boolean isOctal() {
        return octal;
    }

    boolean isBraced() {
        return braced;
    }

    boolean isEmptyAllowed() {
        return emptyAllowed;
    }

    OptionValue defaults() {
        return defaults;
    }
}
