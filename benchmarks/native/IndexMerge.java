import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SlowCodecReaderWrapper;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.NIOFSDirectory;

/**
 * Makes a search index of many segments, and merges them into one: the program {@code index} of
 * {@code advise.sh}.
 *
 * <p>{@code make DIRECTORY MEBIBYTES} writes the segments; {@code merge FROM TO} reads them all and
 * writes one. Files are read by channels, as Lucene does where memory is not mapped.
 */
final class IndexMerge {
    private static final int STORED_BYTES = 4096;
    private static final int WORDS = 30;
    private static final int SEGMENTS = 8;

    private IndexMerge() {}

    public static void main(String[] args) throws IOException {
        if (args[0].equals("make")) {
            make(Path.of(args[1]), Integer.parseInt(args[2]));
        } else {
            merge(Path.of(args[1]), Path.of(args[2]));
        }
    }

    private static void make(Path path, int mebibytes) throws IOException {
        Random random = new Random(1);
        byte[] stored = new byte[STORED_BYTES];
        int documents = mebibytes * (1 << 20) / STORED_BYTES;
        IndexWriterConfig config =
                new IndexWriterConfig(new StandardAnalyzer())
                        .setMergePolicy(NoMergePolicy.INSTANCE)
                        .setRAMBufferSizeMB(1024)
                        .setUseCompoundFile(false);
        try (Directory directory = new NIOFSDirectory(path);
                IndexWriter writer = new IndexWriter(directory, config)) {
            for (int i = 0; i < documents; i++) {
                random.nextBytes(stored);
                StringBuilder text = new StringBuilder();
                for (int word = 0; word < WORDS; word++) {
                    text.append(Integer.toString(random.nextInt(1 << 16), 36)).append(' ');
                }
                Document document = new Document();
                document.add(new StoredField("stored", stored.clone()));
                document.add(new TextField("text", new StringReader(text.toString())));
                writer.addDocument(document);
                if ((i + 1) % (documents / SEGMENTS) == 0) {
                    writer.commit();
                }
            }
        }
    }

    private static void merge(Path from, Path to) throws IOException {
        IndexWriterConfig config =
                new IndexWriterConfig(new StandardAnalyzer())
                        .setMergePolicy(NoMergePolicy.INSTANCE)
                        .setUseCompoundFile(false);
        try (Directory source = new NIOFSDirectory(from);
                DirectoryReader reader = DirectoryReader.open(source);
                Directory target = new NIOFSDirectory(to);
                IndexWriter writer = new IndexWriter(target, config)) {
            List<CodecReader> segments = new ArrayList<>();
            for (LeafReaderContext leaf : reader.leaves()) {
                segments.add(SlowCodecReaderWrapper.wrap(leaf.reader()));
            }
            writer.addIndexes(segments.toArray(new CodecReader[0]));
        }
    }
}
