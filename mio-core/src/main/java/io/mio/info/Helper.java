package io.mio.info;

import io.mio.os.FileFindings;
import io.mio.os.NativeHelper;
import java.io.IOException;

/** What is asked of the native helper; an interface so that tests can answer. */
interface Helper {
    /** Returns why there is no helper, or null. */
    String whyNot();

    /** Returns where the helper was found. */
    String source();

    /** Returns the error number with which the kernel refuses a ring, or 0. */
    int ringRefusal();

    /** Returns the system's words for an error number. */
    String errorText(int errno);

    /** See {@link NativeHelper#lookAt}. */
    FileFindings lookAt(String path) throws IOException;

    /** Returns the helper of this process. */
    static Helper ofProcess() {
        NativeHelper helper = NativeHelper.load();
        return new Helper() {
            @Override
            public String whyNot() {
                return helper.whyNot();
            }

            @Override
            public String source() {
                return helper.source();
            }

            @Override
            public int ringRefusal() {
                return helper.ringRefusal();
            }

            @Override
            public String errorText(int errno) {
                return helper.errorText(errno);
            }

            @Override
            public FileFindings lookAt(String path) throws IOException {
                return helper.lookAt(path);
            }
        };
    }
}
