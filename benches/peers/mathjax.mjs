// MathJax 3 in Node, as a converter of LaTeX to SVG: formulas a second on one core.
//
//   node mathjax.mjs FOLDER LIST
//
// FOLDER is where mathjax-full is installed; LIST has one JSON string of LaTeX a
// line. Loading is not timed, and neither is the first tenth, which warms the
// compiler up and which is converted twice. The last line is JSON: formulas, how many of
// them MathJax drew as errors, seconds.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const [folder, list] = process.argv.slice(2);
const require = createRequire(join(resolve(folder), 'package.json'));
const { mathjax } = require('mathjax-full/js/mathjax.js');
const { TeX } = require('mathjax-full/js/input/tex.js');
const { SVG } = require('mathjax-full/js/output/svg.js');
const { liteAdaptor } = require('mathjax-full/js/adaptors/liteAdaptor.js');
const { RegisterHTMLHandler } = require('mathjax-full/js/handlers/html.js');
const { AllPackages } = require('mathjax-full/js/input/tex/AllPackages.js');

const adaptor = liteAdaptor();
RegisterHTMLHandler(adaptor);
// bussproofs measures what is drawn, which a page without a browser cannot.
const packages = AllPackages.filter(name => name !== 'bussproofs');
const html = mathjax.document('', {
  InputJax: new TeX({ packages }),
  OutputJax: new SVG({ fontCache: 'none' }),
});

/** Whether MathJax drew the formula, rather than an error message. */
function draws(latex) {
  try {
    const svg = adaptor.outerHTML(html.convert(latex, { display: true }));
    return !svg.includes('data-mjx-error');
  } catch {
    return false;
  }
}

const formulas = readFileSync(list, 'utf8').split('\n').filter(Boolean).map(line => JSON.parse(line));
formulas.slice(0, Math.ceil(formulas.length / 10)).forEach(draws);
const started = process.hrtime.bigint();
const drawn = formulas.filter(draws).length;
const seconds = Number(process.hrtime.bigint() - started) / 1e9;
console.log(JSON.stringify({ formulas: formulas.length, errors: formulas.length - drawn, seconds }));
