package io.mio.cli.stats;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.mio.stats.LineText;

/**
 * Reads members of objects in JSON lines. A member that is missing or null is unknown. A member of
 * the wrong type is a mistake: if it counted as missing, it would pass for nothing.
 */
final class JsonMembers {
    private JsonMembers() {}

    /** Thrown for what is wrong with a line. */
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

    /** Returns the member, or a missing node if it is not there. */
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

    /** Returns the text of a member; empty if it is not there. */
    static String text(JsonNode json, String member) throws Wrong {
        return Names.limited(typed(json, member, JsonNodeType.STRING, "no text").asText());
    }

    /**
     * Returns the file's name as the classic text has it, so that both forms of one run name a file
     * alike; null if it is not there.
     */
    static String file(JsonNode json) throws Wrong {
        JsonNode value = typed(json, "file", JsonNodeType.STRING, "no name");
        return isThere(value) ? Names.limited(LineText.of(value.textValue())) : null;
    }

    /** Returns an object; without members if it is not there. */
    static JsonNode object(JsonNode json, String member) throws Wrong {
        return typed(json, member, JsonNodeType.OBJECT, "no object");
    }

    /** Returns an array; without elements if it is not there. */
    static JsonNode array(JsonNode json, String member) throws Wrong {
        return typed(json, member, JsonNodeType.ARRAY, "no array");
    }

    /** Returns a count; {@link Counts#UNKNOWN} if it is not there. */
    static long count(JsonNode json, String member) throws Wrong {
        JsonNode value = json.path(member);
        return isThere(value) ? count(member, value) : Counts.UNKNOWN;
    }

    /**
     * Returns the count that a value is; the value has to be there.
     *
     * @param member the member's name, for the message
     */
    static long count(String member, JsonNode value) throws Wrong {
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0) {
            throw wrong(member, value, "no count");
        }
        return value.longValue();
    }

    /** Returns a number that may be negative; 0 if it is not there. */
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
