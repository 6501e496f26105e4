package io.mio.fs;

import io.mio.layer.FileKey;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.CopyOption;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttributeView;

/**
 * Brings the kernel up to date with a file's pages before an operation looks at the file by name,
 * or changes what others see of it. So size and times are those of all that was written, and
 * nothing that a cache writes later changes times that were set (design section 6). All paths are
 * the platform's.
 *
 * <p>While no file has pages each call costs one look at a field. A file that cannot be looked up
 * is left to the operation itself, which then says why.
 */
final class Publisher {
    private static final LinkOption[] FOLLOWED = {};
    private static final LinkOption[] NOT_FOLLOWED = {LinkOption.NOFOLLOW_LINKS};

    private final PageFiles pages;

    Publisher(PageFiles pages) {
        this.pages = pages;
    }

    /**
     * Publishes before an operation that must not happen with bytes missing.
     *
     * @throws IOException if a page cannot be written; the operation is then to fail with it
     */
    void before(Path inner, LinkOption... options) throws IOException {
        if (pages.any()) {
            before(new FileName(inner), options);
        }
    }

    /**
     * As {@code before} of a path. Publishes all files where a name without a key may lead to one
     * of them: in an open directory, and under a security manager.
     */
    void before(FileName name, LinkOption... options) throws IOException {
        if (!pages.any()) {
            return;
        }
        FileKey key = name.key(options);
        if (key == null && (name instanceof NameInDirectory || Restricted.isOn())) {
            pages.publishAll();
        } else {
            pages.publish(key);
        }
    }

    /** Brings up to date before attributes are read; a page that cannot be written is no error. */
    void beforeReading(Path inner, LinkOption... options) {
        beforeReading(new FileName(inner), options);
    }

    private void beforeReading(FileName name, LinkOption... options) {
        try {
            before(name, options);
        } catch (IOException e) {
            // Reported at the next write, sync or close of the file.
            return;
        }
    }

    /** Link options by which a copy with these options looks at its source. */
    static LinkOption[] links(CopyOption... options) {
        for (CopyOption option : options) {
            if (option == LinkOption.NOFOLLOW_LINKS) {
                return NOT_FOLLOWED;
            }
        }
        return FOLLOWED;
    }

    /**
     * Returns the platform's own view, or null as it was; while any file has pages, a view of the
     * same type that publishes before each call.
     */
    <V extends FileAttributeView> V view(V view, Class<V> type, Path inner, LinkOption... options) {
        return view(view, type, new FileName(inner), options);
    }

    /** As {@code view} of a path, for a file that need not be looked at by its path. */
    <V extends FileAttributeView> V view(
            V view, Class<V> type, FileName name, LinkOption... options) {
        if (view == null || !pages.any() || !type.isInterface()) {
            return view;
        }
        return type.cast(
                Proxy.newProxyInstance(
                        Publisher.class.getClassLoader(),
                        new Class<?>[] {type},
                        new PublishingView(view, name, options.clone())));
    }

    /** Hands every call on to the platform's view. */
    private final class PublishingView implements InvocationHandler {
        private final FileAttributeView view;
        private final FileName name;
        private final LinkOption[] options;

        PublishingView(FileAttributeView view, FileName name, LinkOption... options) {
            this.view = view;
            this.name = name;
            this.options = options;
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            if (method.getDeclaringClass() == Object.class) {
                return ofObject(proxy, method, arguments);
            }
            if (changes(method)) {
                before(name, options);
            } else {
                beforeReading(name, options);
            }
            try {
                return method.invoke(view, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }

        private Object ofObject(Object proxy, Method method, Object... arguments) {
            if (method.getName().equals("equals")) {
                return proxy == arguments[0];
            }
            return method.getName().equals("hashCode")
                    ? (Object) System.identityHashCode(proxy)
                    : view.toString();
        }

        private boolean changes(Method method) {
            String name = method.getName();
            return name.startsWith("set") || name.equals("write") || name.equals("delete");
        }
    }
}
