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
 * The steps that every kind of open goes through: the rule, the platform's open, what page requests
 * need, the layers. A step that fails closes what was opened.
 *
 * <p>A file that has pages through one open of this process gets layers at every further open,
 * whatever the rules say, so that all opens see the same bytes (design section 4). While no file
 * has pages this costs one look at a field.
 */
final class Composer {
    /** Wish of an open that only joins others: its own requests are few; pages have a backend. */
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

    /** Returns what to do with a file of this name; null: it is the platform's own object. */
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
     * Whether a device gets layers: only block devices do. Asked before the open, because the
     * options that a rule adds to an open are for files and block devices only. {@code pf/auto}
     * does nothing for one.
     */
    private boolean servesDevice(StackSpec spec, Path inner) {
        if (spec == null || stacks.leavesSmall(spec)) {
            return false;
        }
        FileFacts facts = FileFacts.of(inner);
        return facts != null && facts.isBlockDevice();
    }

    /**
     * True if files of this rule may stay the platform's own objects: it has {@code pf/auto} alone,
     * which has nothing to gain from a small file that is only read. Asked for opens that only
     * read; then {@link #leaves} decides.
     */
    boolean mayLeave(OpenRule rule) {
        if (!rule.leavesSmall()) {
            return false;
        }
        // An Opening does this too, but a file that is left alone has none.
        Watch.look();
        return !Flight.isOn();
    }

    /**
     * True if the file is small, or was within the last second, and has no pages; asked after
     * {@link #mayLeave}. False where the size is not known: the next to ask for it gets the error.
     * An interrupted thread does not ask, as that would close the channel. If the interrupt comes
     * meanwhile, the caller opens the channel anew: the interrupt is for the program's next call.
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

    /** As {@code leaves} of a channel, for a new stream: what is available is the file's size. */
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
     * Runs the platform's open, and tries again if it fails and the rule says so. An open that cuts
     * a file with pages has the file's gate alone. A file that got pages meanwhile forgets them.
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

    /** False if what was opened is certainly another file. */
    private boolean mayBe(FileKey key, Object opened) {
        FileKey found = opened instanceof Channel channel ? pages.key(channel) : null;
        return found == null || found.equals(key);
    }

    /** Key of the file an open has cut, whose name may have changed; null if it is not known. */
    private FileKey cut(Opening opening, Object opened) {
        FileKey key = opened instanceof Channel channel ? pages.key(channel) : null;
        return key == null ? opening.keyNow() : key;
    }

    /** Tells whether the file gets layers. Call this right after the platform's open. */
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
     * True where the key must come from the descriptor, because the name may lead to another file
     * by now: the file gets pages, or the open's writes may meet pages. The helper, which tells the
     * key, is loaded for no other open.
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
     * Everything that is opened without asking {@link #isLayered} afterwards, because {@link #rule}
     * found nothing to do, must pass through here: a file that got pages meanwhile is told of the
     * open.
     */
    <T extends Closeable> T unlayered(Path inner, T opened) {
        return pages.any() ? unlayered(new FileName(inner), opened) : opened;
    }

    /** As {@code unlayered} of a path, for a file that need not be looked at by its path. */
    <T extends Closeable> T unlayered(FileName name, T opened) {
        if (pages.any() && PassedThrough.of(name.path()) != PassedThrough.Kind.PASSED) {
            FileKey key = opened instanceof Channel channel ? pages.key(channel) : null;
            pages.openedBeside(key == null ? name.key() : key);
        }
        return opened;
    }

    /**
     * True if a stream needs a channel below, for page requests or hints to the kernel. Asked
     * before anything is opened, because opening and closing a pipe or a device disturbs it.
     *
     * <p>A file that is deleted at close has no name any more once it is open. Where it would have
     * to be opened again by name, it gets only the platform's stream, which no interrupt ends: if
     * the stream appends, if the kernel is told of reads, and without the helper.
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
     * Returns what page requests of a file need; null if nothing asks for it, or it cannot be had.
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

    /** Makes the layers; if that fails, closes {@code os} and {@code platform}. */
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
