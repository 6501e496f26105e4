package io.mio.recov;

import io.mio.recov.Failure.Kind;
import io.mio.recov.RecovCommand.Outcome;
import io.mio.stats.RecovMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The further attempts of one failed call. Its messages are written in one piece when the call is
 * over, because the disk that is full may be the one they go to.
 */
final class Attempts {
    /** Calls that are tried again. */
    enum Call {
        OPEN("open"),
        READ("read"),
        WRITE("write"),
        ALLOCATE("allocate");

        private final String label;

        Call(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }

    private final RecovFile file;
    private final Call call;
    private final List<RecovMessage> messages = new ArrayList<>();
    private int count;

    Attempts(RecovFile file, Call call) {
        this.file = file;
        this.call = call;
    }

    /**
     * Does what may help, and says whether to try again.
     *
     * @param why what the last attempt threw
     * @param moved bytes the call has moved so far
     */
    boolean again(Throwable why, long moved) {
        Failure failure = Failure.of(why);
        if (!helps(failure.kind())) {
            // Without attempts there is nothing to report.
            return count == 0 ? false : giveUp(failure, moved);
        }
        if (count >= file.options().retry() || Thread.currentThread().isInterrupted()) {
            return giveUp(failure, moved);
        }
        count++;
        String command = command(failure.kind());
        Outcome outcome =
                command.isEmpty()
                        ? Outcome.NOT_RUN
                        : file.commands().run(command, variables(failure));
        messages.add(
                message(failure, outcome == Outcome.NOT_RUN ? "" : command, RecovMessage.GOES_ON));
        return outcome == Outcome.STOPPED ? giveUp(failure, moved) : true;
    }

    /** Called when the last attempt succeeded. */
    void succeeded() {
        file.output().recovered(file.options().target(), messages);
    }

    private boolean giveUp(Failure failure, long moved) {
        messages.add(message(failure, "", moved > 0 ? moved : -1));
        file.output().recovered(file.options().target(), messages);
        return false;
    }

    private boolean helps(Kind kind) {
        return switch (kind) {
            case SPACE -> call != Call.READ && file.options().fullWrite();
            case REFUSED -> true;
            case TRANSFER -> call == Call.READ || call == Call.WRITE;
            case FINAL -> false;
        };
    }

    /** The command of the call; "" where there is none. */
    private String command(Kind kind) {
        return switch (call) {
            case OPEN ->
                    kind == Kind.SPACE ? file.options().command() : file.options().openCommand();
            case READ -> "";
            case WRITE, ALLOCATE -> file.options().command();
        };
    }

    private Map<String, String> variables(Failure failure) {
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("MIO_MODULE", file.options().name());
        variables.put("MIO_FILE", file.file());
        variables.put("MIO_CALL", call.label());
        variables.put("MIO_ERROR", failure.name());
        variables.put("MIO_ERRNO", Integer.toString(failure.number()));
        variables.put("MIO_TRY", Integer.toString(count));
        variables.put("MIO_RETRY", Long.toString(file.options().retry()));
        return variables;
    }

    private RecovMessage message(Failure failure, String command, long result) {
        return new RecovMessage(
                file.file(),
                call.label(),
                failure.name(),
                failure.number(),
                command,
                count,
                file.options().retry(),
                result);
    }
}
