package io.mio.cli.stats;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.mio.stats.LineText;

/**
 * Members of objects in JSON lines. One that is not there, or null, is unknown; one of another type
 * than it has is wrong: taken as not there, it would pass for nothing.
 */
final class JsonMembers {
    private JsonMembers() {}

    /** What is wrong with a line. */
    static final class Wrong extends Exception {
        private static final long serialVersionUID = 1;

        Wrong(String message) {
            super(message);
        }
    }

    private static boolean isThere(JsonNode value) {
        return !value.isMissingNode() && !value.isNull();
    }

    private static Wrong wrong(String member, JsonNode value, String what) {
        return new Wrong(
                "'"
                        + Names.excerpt(member)
                        + "' is "
                        + Names.excerpt(value.toString())
                        + ", "
                        + what);
    }

    /** A missing node if it is not there. */
    private static JsonNode typed(JsonNode json, String member, JsonNodeType type, String otherwise)
            throws Wrong {
        JsonNode value = json.path(member);
        if (!isThere(value)) {
            return MissingNode.getInstance();
        }
        if (value.getNodeType() != type) {
            throw wrong(member, value, otherwise);
        }
        return value;
    }

    /** Empty if it is not there. */
    static String text(JsonNode json, String member) throws Wrong {
        return Names.limited(typed(json, member, JsonNodeType.STRING, "no text").asText());
    }

    /**
     * The file's name as the classic text has it, so that both forms of one run name a file alike;
     * null if it is not there.
     */
    static String file(JsonNode json) throws Wrong {
        JsonNode value = typed(json, "file", JsonNodeType.STRING, "no name");
        return isThere(value) ? Names.limited(LineText.of(value.textValue())) : null;
    }

    /** Without members if it is not there. */
    static JsonNode object(JsonNode json, String member) throws Wrong {
        return typed(json, member, JsonNodeType.OBJECT, "no object");
    }

    /** Without elements if it is not there. */
    static JsonNode array(JsonNode json, String member) throws Wrong {
        return typed(json, member, JsonNodeType.ARRAY, "no array");
    }

    /** {@link Counts#UNKNOWN} if it is not there. */
    static long count(JsonNode json, String member) throws Wrong {
        JsonNode value = json.path(member);
        return isThere(value) ? count(member, value) : Counts.UNKNOWN;
    }

    /**
     * The value itself, which has to be there.
     *
     * @param member where it is, for the message
     */
    static long count(String member, JsonNode value) throws Wrong {
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0) {
            throw wrong(member, value, "no count");
        }
        return value.longValue();
    }

    /** 0 if it is not there. */
    static long signed(JsonNode json, String member) throws Wrong {
        JsonNode value = json.path(member);
        if (!isThere(value)) {
            return 0;
        }
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw wrong(member, value, "no number");
        }
        return value.longValue();
    }
}
