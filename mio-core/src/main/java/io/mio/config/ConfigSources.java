package io.mio.config;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.TreeSet;

/**
 * The sources of settings, of which the last one wins (design section 3): {@code
 * /etc/mio/mio.conf}, the user's file, the file that is named, the environment, system properties,
 * options of the code.
 *
 * @param environment the environment
 * @param properties the system properties
 * @param root directory that stands for {@code /} when {@code /etc/mio/mio.conf} is looked for; ""
 *     outside tests
 */
record ConfigSources(Map<String, String> environment, Properties properties, String root) {
    private static final String CONFIG_VARIABLE = "MIO_CONFIG";
    private static final String CONFIG_PROPERTY = "mio.config";

    /** Largest file that is read: a device that never ends must not take the program's memory. */
    private static final int FILE_BYTES_MAX = 4 << 20;

    /** The sources of this process. */
    static ConfigSources ofProcess() {
        return new ConfigSources(System.getenv(), System.getProperties(), "");
    }

    /** Fills in, for each key, the text that wins and where it came from. */
    void collect(Map<String, ?> options, ConfigTexts texts) {
        // Not read when MIO is switched off: a mistake in a file must not prevent switching it off.
        if (!isSwitchedOff(options)) {
            files(texts);
        }
        for (ConfigKey key : ConfigKey.values()) {
            texts.set(key, environment.get(key.variable()), key.variable());
            String name = key.property();
            texts.set(key, properties.getProperty(name), "system property ".concat(name));
        }
        if (options != null) {
            options(options, texts);
        }
    }

    /** As {@link #collect}, for the options alone. */
    static void options(Map<String, ?> options, ConfigTexts texts) {
        // A caller without generics can have keys of any type.
        for (Map.Entry<?, ?> entry : options.entrySet()) {
            Object value = entry.getValue();
            String id = String.valueOf(entry.getKey());
            ConfigKey key = key(id, "option ");
            texts.set(key, value == null ? null : value.toString(), "option ".concat(id));
        }
    }

    private void files(ConfigTexts texts) {
        optionalFile(root.concat("/etc/mio/mio.conf"), texts);
        String home = userDirectory();
        if (home != null) {
            optionalFile(home.concat("/mio/mio.conf"), texts);
        }
        namedFile(texts);
    }

    private boolean isSwitchedOff(Map<String, ?> options) {
        Object option = options == null ? null : options.get(ConfigKey.ENABLED.id());
        String text = option == null ? null : option.toString();
        if (text == null) {
            text = properties.getProperty(ConfigKey.ENABLED.property());
        }
        if (text == null) {
            text = environment.get(ConfigKey.ENABLED.variable());
        }
        return text != null && MioConfig.isOff(text);
    }

    private String userDirectory() {
        String config = environment.get("XDG_CONFIG_HOME");
        if (config != null && !config.isEmpty()) {
            return config;
        }
        String home = environment.get("HOME");
        return home == null || home.isEmpty() ? null : home.concat("/.config");
    }

    private void namedFile(ConfigTexts texts) {
        String name = properties.getProperty(CONFIG_PROPERTY);
        String namedBy = "system property " + CONFIG_PROPERTY;
        if (name == null || name.isEmpty()) {
            name = environment.get(CONFIG_VARIABLE);
            namedBy = CONFIG_VARIABLE;
        }
        if (name == null || name.isEmpty()) {
            return;
        }
        try {
            if (mayWait(name)) {
                throw new IOException("a pipe, socket or device");
            }
            file(name, texts);
            texts.looked(new ConfigFile(name, true, true));
        } catch (IOException e) {
            String problem = e.getMessage();
            boolean named = problem != null && problem.startsWith(name);
            throw new ConfigException(
                    namedBy,
                    "cannot read "
                            + (named ? problem : name + " (" + problem + ")")
                            + "; name a readable file");
        }
    }

    private static void optionalFile(String name, ConfigTexts texts) {
        if (!new File(name).isFile()) {
            texts.looked(new ConfigFile(name, false, false));
            return;
        }
        try {
            file(name, texts);
            texts.looked(new ConfigFile(name, true, true));
        } catch (IOException e) {
            // Nobody asked for this file by name, and a program must not fail for what it may not
            // read.
            texts.looked(new ConfigFile(name, true, false));
        }
    }

    private static void file(String name, ConfigTexts texts) throws IOException {
        Properties contents = new Properties();
        try (Reader reader = open(name)) {
            contents.load(reader);
        } catch (IllegalArgumentException e) {
            String problem = e.getMessage();
            throw new ConfigException(
                    "file " + name, "not in Java properties syntax: " + problem + "; correct it");
        }
        // In alphabetical order, so that of several wrong keys always the same one is reported.
        for (String id : new TreeSet<>(contents.stringPropertyNames())) {
            ConfigKey key = key(id, "file ".concat(name).concat(" key "));
            String origin = "file ".concat(name).concat(" key ").concat(id);
            texts.set(key, contents.getProperty(id), origin);
        }
    }

    /**
     * Whether opening the name may wait. An open of a pipe by its name waits for a writer, perhaps
     * for ever. What is below /dev and /proc is open already, as the {@code <(...)} of a shell is,
     * or waits for nobody.
     */
    private static boolean mayWait(String name) {
        File file = new File(name);
        return file.exists()
                && !file.isFile()
                && !file.isDirectory()
                && !name.startsWith("/dev/")
                && !name.startsWith("/proc/");
    }

    private static Reader open(String name) throws IOException {
        // Buffered, because FileInputStream.readNBytes asks for the position in the file, which a
        // pipe does not have.
        try (InputStream file = new BufferedInputStream(new FileInputStream(name))) {
            byte[] contents = file.readNBytes(FILE_BYTES_MAX + 1);
            if (contents.length > FILE_BYTES_MAX) {
                throw new IOException("File too large");
            }
            return new InputStreamReader(
                    new ByteArrayInputStream(contents), StandardCharsets.UTF_8);
        }
    }

    private static ConfigKey key(String id, String source) {
        ConfigKey key = ConfigKey.of(id);
        if (key == null) {
            throw new ConfigException(
                    source + id,
                    "there is no such setting"
                            + Nearest.hint(id, ConfigKey.ids())
                            + " (settings: "
                            + String.join(", ", ConfigKey.ids())
                            + ")");
        }
        return key;
    }
}
