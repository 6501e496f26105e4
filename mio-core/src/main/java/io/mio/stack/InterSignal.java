package io.mio.stack;

import io.mio.stats.OpenReports;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * Writes intermediate reports on SIGUSR1, the signal the original listened to (reference 3.2; 30 is
 * its number on AIX only). Installed when the first file with the option {@code inter} is opened,
 * and never otherwise, because the signal is the program's. A handler the program had is called as
 * well.
 *
 * <p>Uses reflection, because {@code sun.misc.Signal} is in a module a JVM may lack.
 */
final class InterSignal {
    private static boolean installed;

    private InterSignal() {}

    /** Installs the handler, once; does nothing where the JVM cannot or will not install it. */
    static synchronized void install() {
        if (installed) {
            return;
        }
        installed = true;
        try {
            Class<?> signalClass = Class.forName("sun.misc.Signal");
            Class<?> handlerClass = Class.forName("sun.misc.SignalHandler");
            Object signal = signalClass.getConstructor(String.class).newInstance("USR1");
            Object[] before = new Object[1];
            InvocationHandler handler =
                    (proxy, method, arguments) -> {
                        switch (method.getName()) {
                            case "handle" -> handle(handlerClass, before[0], arguments);
                            case "equals" -> {
                                return proxy == arguments[0];
                            }
                            case "hashCode" -> {
                                return System.identityHashCode(proxy);
                            }
                            default -> {
                                return "mio report on SIGUSR1";
                            }
                        }
                        return null;
                    };
            Object proxy =
                    Proxy.newProxyInstance(
                            InterSignal.class.getClassLoader(),
                            new Class<?>[] {handlerClass},
                            handler);
            Method install = signalClass.getMethod("handle", signalClass, handlerClass);
            before[0] = install.invoke(null, signal, proxy);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            // The JVM keeps the signal for itself; Mio.report() still gives reports.
        }
    }

    private static void handle(Class<?> handlerClass, Object before, Object[] arguments)
            throws ReflectiveOperationException {
        OpenReports.writeInter();
        Object byDefault = handlerClass.getField("SIG_DFL").get(null);
        Object ignored = handlerClass.getField("SIG_IGN").get(null);
        // The default action is not run: it would end the program.
        if (before != null && before != byDefault && before != ignored) {
            handlerClass
                    .getMethod("handle", Class.forName("sun.misc.Signal"))
                    .invoke(before, arguments);
        }
    }
}
