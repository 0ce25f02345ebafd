import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.util.PriorityQueue;

/**
 * The best k formulas: by shared bits squared over norm, then by id.
 *
 * <p>Equal fractions are equal as doubles and others are not: `export` has checked that they are small
 * enough. Scores are whole numbers under 2^24, exact as floats.
 */
final class Best extends SimpleCollector {
    /** A formula that was found. */
    static final class Found {
        final int formula;
        final int sum;
        private final double squared;
        private final int idRank;

        private Found(int formula, int sum, double squared, int idRank) {
            this.formula = formula;
            this.sum = sum;
            this.squared = squared;
            this.idRank = idRank;
        }

        private boolean isWorseThan(Found other) {
            return squared < other.squared || (squared == other.squared && idRank > other.idRank);
        }
    }

    private final int k;
    private final int[] norms;
    private final int[] idRanks;
    private final PriorityQueue<Found> worstFirst;
    private double bar = -1;
    private Scorable scorer;

    Best(int k, int[] norms, int[] idRanks) {
        this.k = k;
        this.norms = norms;
        this.idRanks = idRanks;
        worstFirst = new PriorityQueue<>(k) {
            @Override
            protected boolean lessThan(Found a, Found b) {
                return a.isWorseThan(b);
            }
        };
    }

    @Override
    public void setScorer(Scorable scorer) {
        this.scorer = scorer;
    }

    @Override
    public ScoreMode scoreMode() {
        return ScoreMode.COMPLETE;
    }

    @Override
    public void collect(int doc) throws IOException {
        double sum = scorer.score();
        double squared = sum * sum / norms[doc];
        if (squared < bar) {
            return;
        }
        worstFirst.insertWithOverflow(new Found(doc, (int) sum, squared, idRanks[doc]));
        if (worstFirst.size() == k) {
            bar = worstFirst.top().squared;
        }
    }

    List<Found> inOrder() {
        List<Found> found = new ArrayList<>();
        while (worstFirst.size() > 0) {
            found.add(worstFirst.pop());
        }
        Collections.reverse(found);
        return found;
    }
}
