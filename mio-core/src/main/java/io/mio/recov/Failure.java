package io.mio.recov;

import io.mio.layer.ErrorName;
import java.io.FileOutputStream;
import java.io.IOException;

/**
 * What an exception means for another attempt.
 *
 * @param name of errno, for example {@code ENOSPC}
 * @param kind whether another attempt may help, and what may help it
 */
record Failure(String name, Kind kind) {
    enum Kind {
        /** No space, or the user's quota is used up. */
        SPACE,
        /** The file's server is not there, refuses, or no longer knows the file. */
        REFUSED,
        /** A transfer that failed and may succeed when tried again. */
        TRANSFER,
        /** Trying again changes nothing. */
        FINAL
    }

    private static final String NO_SPACE = "ENOSPC";

    static Failure of(Throwable why) {
        if (!(why instanceof IOException)) {
            return new Failure(ErrorName.of(why), Kind.FINAL);
        }
        String name = ErrorName.of(why);
        if (ErrorName.number(name) == 0 && saysNoSpace(why.getMessage())) {
            name = NO_SPACE;
        }
        return new Failure(name, kind(name));
    }

    /** Number of errno, 0 where it is not known. */
    int number() {
        return ErrorName.number(name);
    }

    private static Kind kind(String name) {
        return switch (name) {
            case NO_SPACE, "EDQUOT" -> Kind.SPACE;
            case "ECONNREFUSED", "EHOSTDOWN", "EHOSTUNREACH", "ESTALE", "ETIMEDOUT" -> Kind.REFUSED;
            case "EIO", "EAGAIN" -> Kind.TRANSFER;
            default -> Kind.FINAL;
        };
    }

    /** Whether it has the C library's words for a full disk in the user's language (/dev/full). */
    private static boolean saysNoSpace(String message) {
        String words = InUsersLanguage.NO_SPACE;
        return message != null && !words.isEmpty() && message.contains(words);
    }

    private static final class InUsersLanguage {
        static final String NO_SPACE = noSpace();

        private static String noSpace() {
            try (FileOutputStream full = new FileOutputStream("/dev/full")) {
                full.write(0);
            } catch (IOException e) {
                String words = e.getMessage();
                // That it cannot be opened is another message, which begins with the device's name.
                return words == null || words.startsWith("/dev/full") ? "" : words;
            }
            return "";
        }
    }
}
