package io.mio.fs;

import io.mio.config.StackSpec;
import io.mio.layer.ForwardingLayer;
import io.mio.layer.Layer;
import io.mio.layer.OpenRequest;
import io.mio.stack.StackBuilder;
import io.mio.stack.Stacks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/** The stacks over which every contract is run. */
enum TestStack {
    /** Not by a rule, as a rule that asks for nothing gets the platform's own objects. */
    OS("os") {
        @Override
        Stacks stacks() {
            return new Single(StackSpec.parse("test", "os"), TRACE.stacks());
        }
    },
    FORWARD("forward|os") {
        @Override
        Stacks stacks() {
            return new Forwarding();
        }
    },
    TRACE("trace"),
    TRACE_TWICE("trace|trace"),
    CONCURRENT("mio/cio | trace"),
    AUTO("trace | pf/auto | trace"),
    /** Over a backend's own descriptors. */
    BACKEND("mio/direct | trace") {
        @Override
        FileOpener opener() {
            return new FileOpener(stacks(), new FakePages());
        }
    },
    /** A cache is asked for, but cannot be had. */
    UNSERVED("trace | pf | trace") {
        @Override
        Stacks stacks() {
            return new Single(StackSpec.parse("test", "trace | pf | trace"), TRACE.stacks());
        }

        @Override
        FileOpener opener() {
            FakePages pages = new FakePages();
            pages.serves = false;
            return new FileOpener(stacks(), pages);
        }
    },
    PF("pf/cache=64k/page=4k/private"),
    /** A cache of two frames. */
    PF_TINY("pf/cache=16k/page=8k/global=9"),
    PF_DIRECT("pf/cache=1m/page=64k/direct/global=8"),
    PF_TRACED("trace | pf/cache=1m/page=64k/pref=4/replace=lru/direct/global=7 | trace"),
    PF_SYNCHRONOUS("trace | pf/cache=256k/page=16k/synchronous/pffw/listio"),
    PF_THROUGH("pf/cache=256k/page=16k/through/uncached/discovered_direct=100k/global=6"),
    /** A cache of two frames, with everything that happens recorded. */
    PF_EVENTS(
            "trace/events={FILE} | pf/cache=16k/page=8k/global=10 | trace/events={FILE}"
                    .replace("FILE", eventsFile()));

    private final String text;

    TestStack(String text) {
        this.text = text;
    }

    Stacks stacks() {
        return StackBuilder.load(Map.of("files", "* [ " + text + " ]"), FileSystems.getDefault());
    }

    FileOpener opener() {
        return new FileOpener(stacks());
    }

    /** One events file for the JVM, deleted when the JVM ends. */
    private static String eventsFile() {
        try {
            Path file = Files.createTempFile("mio-test-", ".events");
            file.toFile().deleteOnExit();
            return file.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The stacks to run over: all, or with {@code -Dmio.test.stacks=pf} those with a cache. */
    static Stream<TestStack> chosen() {
        boolean cached = "pf".equals(System.getProperty("mio.test.stacks"));
        return Stream.of(values()).filter(stack -> !cached || stack.hasCache());
    }

    boolean hasCache() {
        return compareTo(PF) >= 0;
    }

    /** True if requests reach the platform's channel as they are. */
    boolean usesThePlatformsChannel() {
        return this != BACKEND && !hasCache();
    }

    @Override
    public String toString() {
        return text;
    }

    /** The same layers for every file. */
    private record Single(StackSpec spec, Stacks builder) implements Stacks {
        @Override
        public StackSpec match(String name) {
            return spec;
        }

        @Override
        public Layer open(StackSpec asked, OpenRequest request, Layer last) throws IOException {
            return builder.open(asked, request, last);
        }
    }

    private static final class Forwarding implements Stacks {
        private final Stacks os = OS.stacks();

        @Override
        public StackSpec match(String name) {
            return os.match(name);
        }

        @Override
        public Layer open(StackSpec spec, OpenRequest request, Layer last) throws IOException {
            return new Forward(os.open(spec, request, last));
        }
    }

    private static final class Forward extends ForwardingLayer {
        Forward(Layer next) {
            super("forward", next);
        }
    }
}
