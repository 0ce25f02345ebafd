//! Any query is read or refused; what is read is read again as it is, and has its MathML.
#![no_main]

use libfuzzer_sys::fuzz_target;
use phocus::layout;

fuzz_target!(|text: &str| {
    if let Ok(read) = layout::read_query(text) {
        let again = layout::latex(&read.read_as);
        assert_eq!(again.ok().as_ref(), Some(&read.layout));
        let mathml = layout::mathml(&read.read_as);
        assert!(mathml.is_ok_and(|mathml| layout::read_query(&mathml).is_ok()));
    }
    // As MathML, too, where it is none.
    let _ = layout::read_query(&format!("<math>{text}</math>"));
    layout::readings_with(text, &[]).count();
});
