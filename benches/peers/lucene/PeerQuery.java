import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** A query over numbered tokens, and how many of them each mode asks for. */
record PeerQuery(int[] least, int[] tokens, long[] words) {
    static List<PeerQuery> readAll(Path folder) throws IOException {
        return Files.readAllLines(folder.resolve("queries.tsv")).stream()
                .map(PeerQuery::read)
                .collect(Collectors.toList());
    }

    /** Of a line: topic, the least of each of three modes, then token:word pairs. */
    private static PeerQuery read(String line) {
        String[] fields = line.split("\t");
        int[] least = new int[3];
        for (int mode = 0; mode < 3; mode++) {
            least[mode] = Integer.parseInt(fields[mode + 1]);
        }
        int[] tokens = new int[fields.length - 4];
        long[] words = new long[fields.length - 4];
        for (int at = 0; at < tokens.length; at++) {
            String[] pair = fields[at + 4].split(":");
            tokens[at] = Integer.parseInt(pair[0]);
            words[at] = Long.parseUnsignedLong(pair[1], 16);
        }
        return new PeerQuery(least, tokens, words);
    }
}
