package io.mio.cli.simulate;

import io.mio.events.Event;
import io.mio.events.EventFile;

/** Is told what is in a recording, while that is read for the first time. */
@FunctionalInterface
public interface SurveyTaker {
    /**
     * Takes the next event of a file that can be simulated.
     *
     * @param door by which its process wrote: {@link io.mio.events.EventFormat#NATIVE} or {@link
     *     io.mio.events.EventFormat#JVM}
     */
    void take(Event event, EventFile file, int door);

    /** Bytes are written to a file that is left out, or below the calls that are simulated. */
    default void written(EventFile file) {}
}
