import java.io.IOException;
import java.nio.file.Path;

import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PayloadAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.BytesRef;

/** One document a formula, in phocus' order, in one segment. */
final class Indexing {
    private static final FieldType WITH_PAYLOADS = new FieldType();

    static {
        WITH_PAYLOADS.setIndexOptions(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS);
        WITH_PAYLOADS.setOmitNorms(true);
        WITH_PAYLOADS.freeze();
    }

    private Indexing() {}

    static void build(Path folder, Path path, int formulas) throws IOException {
        Columns postings = new Columns(folder, formulas);
        // Merges of neighbours alone keep the order of formulas.
        IndexWriterConfig config = new IndexWriterConfig()
                .setMergePolicy(new LogDocMergePolicy())
                .setOpenMode(IndexWriterConfig.OpenMode.CREATE)
                .setRAMBufferSizeMB(1024)
                .setUseCompoundFile(false);
        try (IndexWriter writer = new IndexWriter(new MMapDirectory(path), config)) {
            for (int formula = 0; formula < formulas; formula++) {
                writer.addDocument(document(postings, formula));
            }
            writer.forceMerge(1);
        }
    }

    private static Document document(Columns postings, int formula) {
        Document document = new Document();
        TokenStream tokens = new Tokens(postings, formula);
        document.add(new Field(WordList.TOKENS, tokens, WITH_PAYLOADS));
        for (int at = postings.starts[formula]; at < postings.starts[formula + 1]; at++) {
            String column = WordList.column(postings.tokens[at]);
            document.add(new NumericDocValuesField(column, postings.words[at]));
        }
        return document;
    }

    /** The tokens of a formula, their words as payloads. */
    private static final class Tokens extends TokenStream {
        private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
        private final PayloadAttribute payload = addAttribute(PayloadAttribute.class);
        private final Columns postings;
        private final int end;
        private int at;

        private Tokens(Columns postings, int formula) {
            this.postings = postings;
            at = postings.starts[formula];
            end = postings.starts[formula + 1];
        }

        @Override
        public boolean incrementToken() {
            if (at == end) {
                return false;
            }
            clearAttributes();
            term.append(Integer.toString(postings.tokens[at]));
            byte[] word = new byte[Long.BYTES];
            WordList.WORD.set(word, 0, postings.words[at]);
            payload.setPayload(new BytesRef(word));
            at++;
            return true;
        }
    }
}
