package io.mio.jmx;

import java.lang.management.ManagementFactory;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;

/** Speaks with the MBean server. Needs the module java.management, which a JVM may lack. */
final class BeanServers {
    private static final String NAME = "io.mio:type=Mio";

    /** The platform's own server has this one, others need not. */
    private static final String OF_PLATFORM = "java.lang:type=Runtime";

    private BeanServers() {}

    /** True if the program has an MBean server of any kind. Makes none. */
    static boolean any() {
        return !MBeanServerFactory.findMBeanServer(null).isEmpty();
    }

    /**
     * Registers the bean.
     *
     * @param makes make the platform's server if it is not there, which takes some 100 ms
     * @return false if it is not there
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
            // By another thread, or by another class loader's MIO.
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
