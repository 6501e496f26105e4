package io.mio.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.TwinProgram;
import io.mio.TwinProgram.Case;
import io.mio.config.FileRule;
import io.mio.config.LayerSpec;
import io.mio.config.MioConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Compares the debug lines of an open in Java with those in C. */
class OpenDebugTwinTest {
    private static final String FILES =
            "*.dat:{a b} [ trace/stats/kbytes |"
                    + " pf/cache=100m/page=2m/pref=4/tag={\u00e9\ud834\udd1e} | aix ] /x/** ["
                    + " mio/direct | recov ] *.u [ posix/debug ]";
    private static final String[] DEBUG = {"OPEN", "MODULES", "DEF", "OPEN MODULES", "ALL", "ENV"};
    private static final String[] NAMES = {
        "/d/1.dat", "a b", "/x/y\nz", "\u00fc.u", "\u0001\u007f.dat", "no.match"
    };

    @Test
    void shouldSayTheSameOfAnOpen() {
        List<Case> cases = new ArrayList<>();
        List<List<String>> expected = new ArrayList<>();
        for (String keywords : DEBUG) {
            Case each = new Case().put("files", FILES).put("debug", keywords);
            for (String name : NAMES) {
                each.put("name", name);
            }
            cases.add(each);
            MioConfig config = MioConfig.load(Map.of("files", FILES, "debug", keywords));
            expected.add(lines(config, new OpenDebug(config.debug())).lines());
        }

        List<List<String>> actual = TwinProgram.ask("twin_tables", "debug", cases);

        assertThat(actual).isEqualTo(expected);
    }

    private static Case lines(MioConfig config, OpenDebug debug) {
        Case lines = new Case();
        for (String name : NAMES) {
            FileRule rule = config.rule(name);
            lines.put("matching", debug.matching(name, rule));
            if (rule != null) {
                List<LayerSpec> layers = rule.stack().layers();
                String os = layers.get(layers.size() - 1).typedName();
                String pattern = rule.matching(name).template();
                lines.put("opening", debug.opening(name, rule.stack()));
                lines.put("serving", OpenDebug.serving(os, name, pattern));
            }
        }
        return lines;
    }
}
