package io.mio.fs;

import java.net.URI;

/**
 * The forms of a {@code mio:} URI: {@code mio:/path} and {@code mio:///path} in the file system
 * that is always there, {@code mio://name/path} in one made by {@code newFileSystem}.
 */
final class MioUri {
    static final String SCHEME = "mio";

    private MioUri() {}

    /**
     * Returns the name of the file system in a URI; null for the one without a name.
     *
     * @throws IllegalArgumentException if it is not a {@code mio:} URI of one of the forms above
     */
    static String fileSystemName(URI uri) {
        if (!SCHEME.equalsIgnoreCase(uri.getScheme())) {
            throw bad(uri, "its scheme is not mio");
        }
        if (uri.isOpaque()) {
            throw bad(uri, "its path is not absolute");
        }
        if (uri.getRawQuery() != null) {
            throw bad(uri, "it has a query");
        }
        if (uri.getRawFragment() != null) {
            throw bad(uri, "it has a fragment");
        }
        String name = uri.getRawAuthority();
        if (name == null) {
            return null;
        }
        for (int i = 0; i < name.length(); i++) {
            if (!isNameCharacter(name.charAt(i))) {
                throw bad(uri, "a name has letters, digits, '-', '_' and '.' only");
            }
        }
        return name;
    }

    /**
     * As {@link #fileSystemName}, for a URI of a whole file system: its path is {@code /} or empty.
     *
     * @throws IllegalArgumentException also if it has a path
     */
    static String wholeFileSystemName(URI uri) {
        String name = fileSystemName(uri);
        String path = uri.getRawPath();
        if (!path.isEmpty() && !path.equals("/")) {
            throw new IllegalArgumentException(
                    "not a file system: '"
                            + uri
                            + "': it has a path; write mio:/// or mio://name/ (and getPath for"
                            + " files)");
        }
        return name;
    }

    /** The platform's URI of the file. Three slashes: the platform treats the short form apart. */
    static URI toPlatform(URI uri) {
        String path = uri.getRawPath();
        if (path.isEmpty()) {
            throw bad(uri, "it has no path");
        }
        return URI.create("file://" + path);
    }

    /** The {@code mio:} URI of a file whose URI at the platform is {@code platform}. */
    static URI fromPlatform(URI platform, String name) {
        return URI.create("mio://" + (name == null ? "" : name) + platform.getRawPath());
    }

    private static boolean isNameCharacter(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '_'
                || c == '.';
    }

    private static IllegalArgumentException bad(URI uri, String why) {
        return new IllegalArgumentException(
                "not a mio URI: '"
                        + uri
                        + "': "
                        + why
                        + "; write mio:/path, mio:///path or mio://name/path");
    }
}
