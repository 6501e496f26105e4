package io.mio.fs;

import io.mio.config.StackSpec;
import io.mio.jfr.Flight;
import io.mio.jfr.Watch;
import io.mio.layer.FileKey;
import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import io.mio.os.BackendFile;
import io.mio.os.Backends;
import io.mio.pf.AutoLayer;
import io.mio.stack.Stacks;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channel;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * What every kind of open goes through: the rule, the platform's open, what page requests need, the
 * layers. Whatever fails closes what was opened.
 *
 * <p>A file that has pages by any open of this process gets layers by every further one, whatever
 * the rules say, so that all see the same bytes (design section 4). While no file has pages that
 * costs one look at a field.
 */
final class Composer {
    /** For a file that only joins others: its own requests are rare, the pages have their way. */
    private static final Backends.Wish JOINING = new Backends.Wish(false, false, false);

    private final Stacks stacks;
    private final PageFiles pages;
    private final OpenRule.Known rules;
    private final SmallNames small = new SmallNames(System::nanoTime);

    Composer(Stacks stacks, PageFiles pages) {
        this.stacks = stacks;
        this.pages = pages;
        this.rules = new OpenRule.Known(stacks);
    }

    /** What to do with a file of this name, or null: it is the platform's own object. */
    OpenRule rule(Path inner) {
        if (Restricted.isOn()) {
            Restricted.tell(stacks, inner.toString());
            Restricted.opening(pages);
            return null;
        }
        StackSpec spec = stacks.match(inner.toString());
        if (spec == null && !pages.any()) {
            return null;
        }
        PassedThrough.Kind kind = PassedThrough.of(inner);
        if (kind == PassedThrough.Kind.PASSED
                || kind == PassedThrough.Kind.PROCESSES
                || (kind == PassedThrough.Kind.DEVICE && !servesDevice(spec, inner))) {
            return null;
        }
        return spec == null ? OpenRule.unruled() : rules.of(spec);
    }

    /**
     * Block devices alone, before they are opened: what a rule adds to the options of an open is
     * for files and those. {@code pf/auto} makes nothing of one.
     */
    private boolean servesDevice(StackSpec spec, Path inner) {
        if (spec == null || stacks.leavesSmall(spec)) {
            return false;
        }
        FileFacts facts = FileFacts.of(inner);
        return facts != null && facts.isBlockDevice();
    }

    /**
     * True if files of this rule may be the platform's own objects all the same: {@code pf/auto}
     * alone, which has nothing to gain from a small file that is only read. Asked for opens that
     * only read; then {@link #leaves} tells.
     */
    boolean mayLeave(OpenRule rule) {
        if (!rule.leavesSmall()) {
            return false;
        }
        // As an Opening does, of which a file that is left has none.
        Watch.look();
        return !Flight.isOn();
    }

    /**
     * True if it is, or was within the last second; after {@link #mayLeave}. False where that is
     * not known: whoever asks for the size will hear of it. An interrupted thread does not ask, as
     * that closes the channel; one that is interrupted meanwhile opens it anew, as the interrupt is
     * for the program's next call.
     */
    boolean leaves(Path inner, FileChannel opened) {
        if (small.has(inner.toString())) {
            return hasNoPages(inner);
        }
        if (Thread.currentThread().isInterrupted()) {
            return false;
        }
        try {
            return leaves(inner, opened.size());
        } catch (IOException e) {
            return false;
        }
    }

    private boolean leaves(Path inner, long sizeBytes) {
        if (AutoLayer.mayGain(OpenFlags.RDONLY, sizeBytes)) {
            small.remove(inner.toString());
            return false;
        }
        small.add(inner.toString());
        return hasNoPages(inner);
    }

    private boolean hasNoPages(Path inner) {
        return !(pages.any() && pages.has(FileFacts.key(inner)));
    }

    /** The same of the platform's stream, at its beginning: what is available there is the file. */
    boolean leaves(Path inner, InputStream opened) {
        if (small.has(inner.toString())) {
            return hasNoPages(inner);
        }
        try {
            return leaves(inner, opened.available());
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Runs the platform's open, again if it fails and the rule says so; one that cuts a file with
     * pages does so alone, and one that has got some meanwhile forgets them.
     */
    <T> T open(OpenRule rule, Opening opening, Layer.IoCall<T> platform) throws IOException {
        String name = opening.inner().toString();
        if (OpenFlags.writes(opening.oflags())) {
            small.remove(name);
        }
        Layer.IoCall<T> call = () -> stacks.opening(rule.spec(), name, platform);
        if (!opening.cuts()) {
            return call.call();
        }
        FileKey key = pages.any() ? opening.keyNow() : null;
        boolean known = pages.has(key);
        T opened = known ? pages.truncating(key, call, any -> mayBe(key, any)) : call.call();
        if (pages.any()) {
            FileKey cut = cut(opening, opened);
            if (cut == null ? key == null && opening.mayBeAny() : !known || !cut.equals(key)) {
                pages.wasCut(cut);
            }
        }
        return opened;
    }

    /** False if what was opened is another file for sure. */
    private boolean mayBe(FileKey key, Object opened) {
        FileKey found = opened instanceof Channel channel ? pages.key(channel) : null;
        return found == null || found.equals(key);
    }

    /** The file that an open has cut: names may have changed meanwhile. Null if it is not known. */
    private FileKey cut(Opening opening, Object opened) {
        FileKey key = opened instanceof Channel channel ? pages.key(channel) : null;
        return key == null ? opening.keyNow() : key;
    }

    /** To be asked right after the platform's open: does the file get layers? */
    boolean isLayered(OpenRule rule, Opening opening, Closeable opened) {
        boolean served = opening.opened();
        if (opened instanceof Channel channel
                && (pages.any() || (served && needsDescriptor(rule.front(), opening)))) {
            opening.is(pages.key(channel));
            served = opening.isServed();
        }
        return served && (!rule.onlyIfCached() || pages.has(opening.key()));
    }

    /**
     * True where pages come of what the file is known by, or may meet what the open writes: its
     * name may lead to another file by now. The helper, which tells, is loaded for nobody else.
     */
    private boolean needsDescriptor(FrontOptions front, Opening opening) {
        if (opening.isDevice()) {
            return false;
        }
        if (front.wish() != null) {
            return true;
        }
        return front.hints()
                ? AutoLayer.mayGain(opening.oflags(), opening.sizeBytes())
                : OpenFlags.writes(opening.oflags()) && pages.tellsKeys();
    }

    /**
     * To be passed by all that is opened without a look at {@link #isLayered} afterwards, because
     * {@link #rule} said there is nothing to do: a file that got pages meanwhile hears of it.
     */
    <T extends Closeable> T unlayered(Path inner, T opened) {
        return pages.any() ? unlayered(new FileName(inner), opened) : opened;
    }

    /** The same, of a file that need not be looked at by its path. */
    <T extends Closeable> T unlayered(FileName name, T opened) {
        if (pages.any() && PassedThrough.of(name.path()) != PassedThrough.Kind.PASSED) {
            FileKey key = opened instanceof Channel channel ? pages.key(channel) : null;
            pages.openedBeside(key == null ? name.key() : key);
        }
        return opened;
    }

    /**
     * True if a stream needs a channel below, for page requests or hints to the kernel. Asked
     * before anything is opened: what opens and closes a pipe or a device disturbs it.
     *
     * <p>A file that is deleted at close has no name any more as it opens. What would have to be
     * opened once more by name is then the platform's stream alone, which no interrupt ends: where
     * the stream appends, where the kernel is told of reads, and without the helper.
     */
    boolean takesPages(OpenRule rule, Path inner, Set<? extends OpenOption> options) {
        boolean asked = rule.front().wish() != null;
        boolean deletes = options.contains(StandardOpenOption.DELETE_ON_CLOSE);
        boolean hints = rule.front().hints() && !deletes;
        if (!asked && !hints && !pages.any()) {
            return false;
        }
        if (deletes && (options.contains(StandardOpenOption.APPEND) || !pages.servesUnnamed())) {
            return false;
        }
        FileFacts facts = FileFacts.of(inner);
        if (facts == null) {
            return asked;
        }
        boolean gains = hints && AutoLayer.mayGain(OpenFlags.RDONLY, facts.sizeBytes());
        return facts.isRegular() && (asked || gains || pages.has(facts.key()));
    }

    /**
     * What page requests of a file need, or null: nobody asks for it, or it cannot be had.
     *
     * @param channel what the platform opened; closed if this fails
     */
    BackendFile backend(OpenRule rule, Opening opening, Channel channel) throws IOException {
        Backends.Wish wish = rule.front().wish();
        if (wish == null && pages.any() && pages.has(opening.key())) {
            wish = JOINING;
        }
        if (wish == null || !(opening.hasPath() || pages.servesUnnamed())) {
            return null;
        }
        Path inner = opening.inner();
        if (opening.isDevice()) {
            if (!wish.unpaged()) {
                stacks.debug(rule.spec(), inner.toString(), "a block device; no cache");
            }
            return null;
        }
        try {
            return pages.backend(
                    channel,
                    inner,
                    opening.oflags(),
                    wish,
                    line -> stacks.debug(rule.spec(), inner.toString(), line),
                    opening::keep);
        } catch (RuntimeException | Error e) {
            close(channel, e);
            throw e;
        }
    }

    /** The layers over {@code os}; if they cannot be made, it and {@code platform} are closed. */
    Layer layers(OpenRule rule, Opening opening, OpenRequest request, Layer os, Closeable platform)
            throws IOException {
        try {
            Layer layers = stacks.open(rule.spec(), request, os);
            opening.layered(layers);
            return layers;
        } catch (IOException | RuntimeException | Error e) {
            close(os::close, e);
            close(platform, e);
            throw e;
        }
    }

    private static void close(Closeable opened, Throwable reason) {
        try {
            opened.close();
        } catch (IOException failure) {
            reason.addSuppressed(failure);
        }
    }
}
