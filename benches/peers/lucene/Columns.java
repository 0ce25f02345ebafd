import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/** Columns of little-endian numbers, and postings by formula. */
final class Columns {
    /** Where each formula's postings begin; one more at the end. */
    final int[] starts;
    final int[] tokens;
    final long[] words;

    /** Turns the postings of a folder round: from tokens' formulas to formulas' tokens. */
    Columns(Path folder, int formulas) throws IOException {
        int[] formula = readInts(folder.resolve("formula.u32"));
        int[] token = readInts(folder.resolve("token.u32"));
        long[] word = readLongs(folder.resolve("word.u64"));
        starts = new int[formulas + 1];
        for (int one : formula) {
            starts[one + 1]++;
        }
        for (int at = 0; at < formulas; at++) {
            starts[at + 1] += starts[at];
        }
        int[] next = starts.clone();
        tokens = new int[token.length];
        words = new long[token.length];
        for (int at = 0; at < token.length; at++) {
            int place = next[formula[at]]++;
            tokens[place] = token[at];
            words[place] = word[at];
        }
    }

    static int[] readInts(Path path) throws IOException {
        ByteBuffer bytes = read(path);
        int[] numbers = new int[bytes.remaining() / Integer.BYTES];
        bytes.asIntBuffer().get(numbers);
        return numbers;
    }

    private static long[] readLongs(Path path) throws IOException {
        ByteBuffer bytes = read(path);
        long[] numbers = new long[bytes.remaining() / Long.BYTES];
        bytes.asLongBuffer().get(numbers);
        return numbers;
    }

    private static ByteBuffer read(Path path) throws IOException {
        return ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
    }
}
