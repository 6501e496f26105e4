package io.mio.info;

import io.mio.info.Fact.Group;
import io.mio.info.Fact.Unit;
import java.util.ArrayList;
import java.util.List;

/** The facts in the order in which they are found, one group after the other. */
final class FactList {
    private final List<Fact> facts = new ArrayList<>();
    private Group group = Group.MACHINE;

    /** Sets the group of all facts that follow. */
    FactList group(Group next) {
        group = next;
        return this;
    }

    FactList text(String name, String label, String value, String note) {
        return add(name, label, Unit.TEXT, value, note);
    }

    /** Adds the text of a file of the kernel that may be missing. */
    FactList text(String name, String label, String value) {
        return text(name, label, value, value == null ? SystemFiles.UNTOLD : null);
    }

    FactList number(String name, String label, Unit unit, Number value, String note) {
        return add(name, label, unit, value, note);
    }

    FactList number(String name, String label, Unit unit, Number value) {
        return number(name, label, unit, value, value == null ? SystemFiles.UNTOLD : null);
    }

    FactList yesNo(String name, String label, Boolean value, String note) {
        return add(name, label, Unit.YES_NO, value, note);
    }

    /** Adds a limit: a number, {@link Fact#UNLIMITED}, or null. */
    FactList limit(String name, String label, Unit unit, Object value, String note) {
        return add(name, label, unit, value, note);
    }

    private FactList add(String name, String label, Unit unit, Object value, String note) {
        facts.add(new Fact(group, name, label, unit, value, note));
        return this;
    }

    List<Fact> list() {
        return List.copyOf(facts);
    }
}
