/**
 * {@code mio simulate}: plays a recorded run through the cache's own classes, over a device that
 * exists only as figures, and tells what another rule would have done. Read {@link
 * io.mio.cli.simulate.Replay} first.
 */
package io.mio.cli.simulate;
