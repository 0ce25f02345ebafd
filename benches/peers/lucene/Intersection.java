import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

import org.apache.lucene.search.ConjunctionDISI;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;

/** Formulas that hold every token: Lucene's own intersection, the shortest list leading. */
final class Intersection extends Scorer {
    private final List<WordList> lists;
    private final DocIdSetIterator all;

    Intersection(Weight weight, List<WordList> lists) {
        super(weight);
        this.lists = lists;
        all = ConjunctionDISI.intersectIterators(
                lists.stream().map(list -> list.formulas).collect(Collectors.toList()));
    }

    @Override
    public DocIdSetIterator iterator() {
        return all;
    }

    @Override
    public float score() throws IOException {
        int bits = 0;
        for (WordList list : lists) {
            bits += list.bits();
        }
        return bits;
    }

    @Override
    public float getMaxScore(int upTo) {
        return Float.MAX_VALUE;
    }

    @Override
    public int docID() {
        return all.docID();
    }
}
