import java.io.BufferedReader;
import java.io.FileWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.MMapDirectory;

/**
 * Lucene with a scorer of its own, answering the lines that the crate's `serve` module describes.
 *
 * <p>Usage: java Peer FOLDER, the folder being what `phocus-peers export` wrote.
 */
final class Peer {
    private static final List<String> MODES = List.of("any", "75%", "all");

    private final List<PeerQuery> queries;
    private final IndexSearcher searcher;
    private final int[] norms;
    private final int[] idRanks;

    private Peer(Path folder) throws IOException {
        queries = PeerQuery.readAll(folder);
        norms = Columns.readInts(folder.resolve("norm.u32"));
        idRanks = Columns.readInts(folder.resolve("id_rank.u32"));
        Path path = folder.resolve("lucene");
        if (!Files.exists(path.resolve("whole"))) {
            Indexing.build(folder, path, norms.length);
            Files.createFile(path.resolve("whole"));
        }
        IndexReader reader = DirectoryReader.open(new MMapDirectory(path));
        if (reader.leaves().size() != 1) {
            throw new IOException("expected one segment, found " + reader.leaves().size());
        }
        searcher = new IndexSearcher(reader);
        // A cache of whole queries would answer every repetition at once.
        searcher.setQueryCache(null);
    }

    public static void main(String[] args) throws IOException {
        Peer peer = new Peer(Path.of(args[0]));
        System.out.println("ready");
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            System.out.println(peer.answer(line.split(" ")));
        }
    }

    private String answer(String[] fields) throws IOException {
        int mode = MODES.indexOf(fields[0]);
        int end = Math.min(Integer.parseInt(fields[2]), queries.size());
        int k = Integer.parseInt(fields[3]);
        StringBuilder times = new StringBuilder();
        List<List<Best.Found>> results = new ArrayList<>();
        for (int number = Integer.parseInt(fields[1]); number < end; number++) {
            long started = System.nanoTime();
            results.add(search(queries.get(number), mode, k));
            times.append(System.nanoTime() - started).append(' ');
        }
        if (fields.length > 4) {
            save(results, fields[4]);
        }
        return times.toString();
    }

    private List<Best.Found> search(PeerQuery query, int mode, int k) throws IOException {
        Best best = new Best(k, norms, idRanks);
        searcher.search(new SharedBits(query.tokens(), query.words(), query.least()[mode]), best);
        return best.inOrder();
    }

    private static void save(List<List<Best.Found>> results, String file) throws IOException {
        try (Writer out = new FileWriter(file, true)) {
            for (List<Best.Found> found : results) {
                StringBuilder line = new StringBuilder();
                for (Best.Found one : found) {
                    line.append(one.formula).append(':').append(one.sum).append(' ');
                }
                out.write(line.append('\n').toString());
            }
        }
    }
}
