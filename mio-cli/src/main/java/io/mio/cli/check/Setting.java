package io.mio.cli.check;

import io.mio.config.ConfigKey;
import io.mio.config.MioConfig;
import java.util.ArrayList;
import java.util.List;

/**
 * A setting and where it comes from.
 *
 * @param key for example {@code files}
 * @param value as written; "" if nobody sets it
 * @param origin who sets it: a variable, a system property, a key of a file, an option of this
 *     command, or {@code built-in}
 * @param overridden those who set it as well but are overridden, the weakest first
 */
public record Setting(String key, String value, String origin, List<String> overridden) {
    private static final String OPTION = "option ";

    /** Returns all settings, in the order of the documentation. */
    public static List<Setting> of(MioConfig config) {
        List<Setting> settings = new ArrayList<>();
        for (ConfigKey key : ConfigKey.values()) {
            settings.add(
                    new Setting(
                            key.id(),
                            config.text(key),
                            config.isSet(key) ? shown(config.origin(key)) : "built-in",
                            config.overridden(key).stream().map(Setting::shown).toList()));
        }
        return settings;
    }

    /**
     * Returns an origin in the words of this command: an option given by code is one of the
     * command's own.
     */
    public static String shown(String origin) {
        return origin.startsWith(OPTION) ? "--" + origin.substring(OPTION.length()) : origin;
    }
}
