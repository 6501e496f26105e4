package io.mio.stats;

import java.util.List;
import java.util.Map;

/** Writes one JSON object, keys in the order given. Only for output; it reads nothing. */
final class JsonText {
    private final StringBuilder out = new StringBuilder(512);
    private boolean first = true;

    JsonText() {
        out.append('{');
    }

    JsonText put(String key, String value) {
        key(key);
        if (value == null) {
            out.append("null");
        } else {
            quote(value);
        }
        return this;
    }

    JsonText put(String key, long value) {
        key(key);
        out.append(value);
        return this;
    }

    JsonText put(String key, boolean value) {
        key(key);
        out.append(value);
        return this;
    }

    /** Leaves out the zeros at the end, of which most histograms have many. */
    JsonText put(String key, long[] values) {
        key(key);
        int length = values.length;
        while (length > 0 && values[length - 1] == 0) {
            length--;
        }
        out.append('[');
        for (int i = 0; i < length; i++) {
            if (i > 0) {
                out.append(',');
            }
            out.append(values[i]);
        }
        out.append(']');
        return this;
    }

    JsonText put(String key, JsonText object) {
        key(key);
        out.append(object);
        return this;
    }

    JsonText put(String key, List<JsonText> objects) {
        key(key);
        out.append('[');
        for (int i = 0; i < objects.size(); i++) {
            out.append(i > 0 ? "," : "").append(objects.get(i));
        }
        out.append(']');
        return this;
    }

    JsonText put(String key, Map<String, Long> counts) {
        JsonText object = new JsonText();
        for (Map.Entry<String, Long> entry : counts.entrySet()) {
            object.put(entry.getKey(), entry.getValue());
        }
        return put(key, object);
    }

    private void key(String key) {
        if (!first) {
            out.append(',');
        }
        first = false;
        quote(key);
        out.append(':');
    }

    private void quote(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c == 0x7f || (Character.isSurrogate(c) && isAlone(text, i))) {
                out.append("\\u").append(Character.forDigit(c >> 12, 16));
                out.append(Character.forDigit(c >> 8 & 15, 16));
                out.append(Character.forDigit(c >> 4 & 15, 16));
                out.append(Character.forDigit(c & 15, 16));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    /** Whether it is half a pair, which UTF-8 cannot express; file names can hold one. */
    private static boolean isAlone(String text, int i) {
        char c = text.charAt(i);
        if (Character.isHighSurrogate(c)) {
            return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
        }
        return i == 0 || !Character.isHighSurrogate(text.charAt(i - 1));
    }

    @Override
    public String toString() {
        return out + "}";
    }
}
