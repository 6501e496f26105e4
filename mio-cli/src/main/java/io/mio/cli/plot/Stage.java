package io.mio.cli.plot;

/** Where in the stack of layers something was seen. */
public enum Stage {
    /** Seen by the trace layer right below the program. */
    PROGRAM("program"),
    /** Seen by a trace layer with layers above and below it. */
    BETWEEN("between layers"),
    /** Seen by the trace layer right above the system. */
    SYSTEM("system"),
    /** Seen inside pf: what happens to pages. */
    CACHE("cache pages");

    private final String label;

    Stage(String label) {
        this.label = label;
    }

    /** Returns words for the stage. */
    public String label() {
        return label;
    }
}
