package io.mio.cli.advise;

import java.util.List;

/**
 * Files that one template, or one list of names, stands for in a rule.
 *
 * @param names templates as in rules, without braces
 * @param files their own profiles
 * @param sum the profile of all of them
 * @param other a file of the run that the names match though it is none of these, or null
 */
record Group(List<String> names, List<FileProfile> files, FileProfile sum, String other) {
    private static final String SPECIAL = " \t\n:[]{}";

    /** True if a rule for these names applies to these files alone. */
    boolean isNamed() {
        return other == null;
    }

    /** The names as typed in {@code MIO_FILES}. */
    String typed() {
        return String.join(":", names.stream().map(Group::braced).toList());
    }

    /** The names for people. */
    String shown() {
        return String.join(", ", names);
    }

    private static String braced(String name) {
        for (int i = 0; i < name.length(); i++) {
            if (SPECIAL.indexOf(name.charAt(i)) >= 0) {
                return "{" + name + "}";
            }
        }
        return name;
    }
}
