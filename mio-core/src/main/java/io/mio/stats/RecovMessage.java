package io.mio.stats;

/**
 * One message of a recov layer (reference 4.6): a call is tried again, or no longer.
 *
 * @param file name as the program gave it
 * @param call what failed: {@code open}, {@code read}, {@code write} or {@code allocate}
 * @param error name of errno, for example {@code ENOSPC}
 * @param errno its number, 0 where it is not known
 * @param command what was run before the attempt; "" if nothing was
 * @param attempt number of the attempt, from 1; 0 where there was none
 * @param retry attempts allowed
 * @param result {@link #GOES_ON}, or what the program gets: the bytes written, -1 for the error
 */
public record RecovMessage(
        String file,
        String call,
        String error,
        int errno,
        String command,
        int attempt,
        long retry,
        long result) {
    /** Result while the call is tried again. */
    public static final long GOES_ON = 0;

    private boolean isFailure() {
        return result != GOES_ON;
    }

    /** Returns the line, ended. */
    String classic() {
        ReportText out = new ReportText().text("recov : ");
        if (isFailure()) {
            out.text("failure : new_ret=").number(result);
        } else {
            out.text("command=").text(LineText.of(command)).text(" file=").text(LineText.of(file));
            out.text(" errno=").number(errno).text(" try=").number(attempt);
        }
        return out.text("\n").toString();
    }

    /** Returns the JSON object; its members are specified in docs/format/stats.md. */
    String json(String stamp) {
        JsonText json =
                StatsHeader.stampedJson("recov", stamp)
                        .put("event", isFailure() ? "failure" : "attempt")
                        .put("file", file)
                        .put("call", call)
                        .put("error", error)
                        .put("errno", errno)
                        .put("try", attempt)
                        .put("retry", retry);
        if (isFailure()) {
            json.put("result", result);
        } else {
            json.put("command", command.isEmpty() ? null : command);
        }
        return json.toString();
    }
}
