import java.io.IOException;
import java.util.Arrays;
import java.util.List;

import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.util.Bits;

/**
 * Formulas that hold some of the tokens: sums by windows of formulas, as Lucene's own BooleanScorer
 * makes them, but with tokens counted along and without a call of a collector for each posting.
 */
final class Union extends BulkScorer {
    /** Formulas in a window. */
    private static final int WINDOW = 1 << 14;

    /** A token held, in a sum: bits are below it, and stay so up to 1,000 tokens. */
    private static final int HELD = 1 << 16;

    private final List<WordList> lists;
    private final int least;
    private final int formulas;
    private final int[] sums = new int[WINDOW];
    private final Sum sum = new Sum();

    Union(List<WordList> lists, int least, int formulas) throws IOException {
        this.lists = lists;
        this.least = least * HELD;
        this.formulas = formulas;
        for (WordList list : lists) {
            list.formulas.nextDoc();
        }
    }

    @Override
    public int score(LeafCollector collector, Bits live, int min, int max) throws IOException {
        collector.setScorer(sum);
        // The last formula asked for may be any number, up to the greatest there is.
        int last = Math.min(max, formulas);
        for (int start = min; start < last; start += WINDOW) {
            int end = Math.min(start + WINDOW, last);
            boolean isTouched = false;
            for (WordList list : lists) {
                isTouched |= add(list, start, end);
            }
            if (isTouched) {
                collect(collector, start, end - start);
                Arrays.fill(sums, 0);
            }
        }
        return last == formulas ? DocIdSetIterator.NO_MORE_DOCS : last;
    }

    /** Adds a list's share of a window; false where it has none. */
    private boolean add(WordList list, int start, int end) throws IOException {
        DocIdSetIterator docs = list.formulas;
        int doc = docs.docID();
        boolean isTouched = doc < end;
        for (; doc < end; doc = docs.nextDoc()) {
            sums[doc - start] += HELD + list.bits();
        }
        return isTouched;
    }

    private void collect(LeafCollector collector, int start, int length) throws IOException {
        for (int at = 0; at < length; at++) {
            if (sums[at] >= least) {
                sum.doc = start + at;
                sum.bits = sums[at] % HELD;
                collector.collect(sum.doc);
            }
        }
    }

    @Override
    public long cost() {
        return lists.stream().mapToLong(list -> list.formulas.cost()).sum();
    }

    /** The formula that is being collected. */
    private static final class Sum extends Scorable {
        private int doc;
        private int bits;

        @Override
        public float score() {
            return bits;
        }

        @Override
        public int docID() {
            return doc;
        }
    }
}
