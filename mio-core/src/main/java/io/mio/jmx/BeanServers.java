package io.mio.jmx;

import java.lang.management.ManagementFactory;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;

/** Talks to the MBean server. Needs the module java.management, which a JVM may lack. */
final class BeanServers {
    private static final String NAME = "io.mio:type=Mio";

    /** A bean that the platform's own server has; others need not have it. */
    private static final String OF_PLATFORM = "java.lang:type=Runtime";

    private BeanServers() {}

    /** True if the program has an MBean server of any kind. Makes none. */
    static boolean any() {
        return !MBeanServerFactory.findMBeanServer(null).isEmpty();
    }

    /**
     * Registers the bean.
     *
     * @param makes whether to make the platform's server if it is not there, which takes some 100
     *     ms
     * @return false if the server is not there
     * @throws IllegalStateException if the server refuses
     */
    static boolean register(boolean makes) {
        try {
            MBeanServer server = makes ? ManagementFactory.getPlatformMBeanServer() : platform();
            if (server == null) {
                return false;
            }
            ObjectName name = new ObjectName(NAME);
            if (!server.isRegistered(name)) {
                server.registerMBean(new MioBean(), name);
            }
            return true;
        } catch (InstanceAlreadyExistsException e) {
            // Registered by another thread, or by the MIO of another class loader.
            return true;
        } catch (JMException e) {
            throw new IllegalStateException("cannot register " + NAME + ": " + e, e);
        }
    }

    private static MBeanServer platform() throws JMException {
        ObjectName runtime = new ObjectName(OF_PLATFORM);
        for (MBeanServer server : MBeanServerFactory.findMBeanServer(null)) {
            if (server.isRegistered(runtime)) {
                return server;
            }
        }
        return null;
    }
}
