package io.mio.fs;

import io.mio.config.StackSpec;
import io.mio.stack.Stacks;
import java.util.Arrays;

/**
 * What is to happen to a file that is opened.
 *
 * @param spec its layers
 * @param front what they ask of the open itself
 * @param leavesSmall see {@link Stacks#leavesSmall}
 * @param onlyIfCached no rule asks for layers: the file gets them only if it has pages through
 *     another open, else it is the platform's own object
 */
record OpenRule(StackSpec spec, FrontOptions front, boolean leavesSmall, boolean onlyIfCached) {
    /** Made at first use: while no file of the process has pages nobody needs it. */
    private static final class Unruled {
        static final OpenRule RULE = make(StackSpec.parse("mio", "os"), false, true);
    }

    /** The rules of a configuration, each worked out once. Safe for use by several threads. */
    static final class Known {
        /**
         * Most rules kept, found by their spec, which is the same object at every open. Further
         * rules are worked out at each open.
         */
        private static final int MOST = 64;

        private final Stacks stacks;
        private volatile OpenRule[] rules = {};

        Known(Stacks stacks) {
            this.stacks = stacks;
        }

        OpenRule of(StackSpec spec) {
            OpenRule rule = find(spec);
            return rule == null ? add(spec) : rule;
        }

        @SuppressWarnings("ReferenceEquality")
        private OpenRule find(StackSpec spec) {
            for (OpenRule rule : rules) {
                if (rule.spec == spec) {
                    return rule;
                }
            }
            return null;
        }

        private synchronized OpenRule add(StackSpec spec) {
            OpenRule found = find(spec);
            OpenRule made = found == null ? make(spec, stacks.leavesSmall(spec), false) : found;
            int known = rules.length;
            if (found == null && known < MOST) {
                OpenRule[] more = Arrays.copyOf(rules, known + 1);
                more[known] = made;
                rules = more;
            }
            return made;
        }
    }

    /** The rule for a file that no rule asks layers for. */
    static OpenRule unruled() {
        return Unruled.RULE;
    }

    private static OpenRule make(StackSpec spec, boolean leavesSmall, boolean onlyIfCached) {
        return new OpenRule(spec, FrontOptions.of(spec), leavesSmall, onlyIfCached);
    }
}
