import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;

/**
 * Every formula that holds enough of the tokens, scored by the bits it shares. The collector
 * divides by the norm.
 */
final class SharedBits extends Query {
    private final int[] tokens;
    private final long[] words;
    private final int least;

    SharedBits(int[] tokens, long[] words, int least) {
        this.tokens = tokens;
        this.words = words;
        this.least = least;
    }

    @Override
    public Weight createWeight(IndexSearcher searcher, ScoreMode mode, float boost) {
        return new ConstantScoreWeight(this, boost) {
            @Override
            public BulkScorer bulkScorer(LeafReaderContext context) throws IOException {
                return least < tokens.length || tokens.length == 1
                        ? union(context.reader())
                        : super.bulkScorer(context);
            }

            @Override
            public Scorer scorer(LeafReaderContext context) throws IOException {
                boolean isNothing = tokens.length == 0 || least > tokens.length;
                return isNothing ? null : intersection(this, context.reader());
            }

            @Override
            public boolean isCacheable(LeafReaderContext context) {
                return false;
            }
        };
    }

    private BulkScorer union(LeafReader reader) throws IOException {
        List<WordList> lists = new ArrayList<>();
        for (int at = 0; at < tokens.length; at++) {
            lists.add(WordList.scanning(reader, tokens[at], words[at]));
        }
        return new Union(lists, least, reader.maxDoc());
    }

    private Scorer intersection(Weight weight, LeafReader reader) throws IOException {
        List<WordList> lists = new ArrayList<>();
        for (int at = 0; at < tokens.length; at++) {
            lists.add(WordList.jumping(reader, tokens[at], words[at]));
        }
        return new Intersection(weight, lists);
    }

    @Override
    public String toString(String field) {
        return "shared bits of " + tokens.length + " tokens";
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SharedBits that
                && Arrays.equals(tokens, that.tokens)
                && Arrays.equals(words, that.words)
                && least == that.least;
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(words) * 31 + least;
    }
}
