// Makes mathjax-none/NNN.svg and mathjax-local/NNN.svg from formulas.txt.
//
// How to run, from a copy of this folder (needs Node 18 or later):
//     npm install --no-save mathjax-full@3.2.2
//     node make.mjs
// Then delete node_modules.  The output is deterministic.

import fs from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { mathjax } = require('mathjax-full/js/mathjax.js');
const { TeX } = require('mathjax-full/js/input/tex.js');
const { SVG } = require('mathjax-full/js/output/svg.js');
const { liteAdaptor } = require('mathjax-full/js/adaptors/liteAdaptor.js');
const { RegisterHTMLHandler } = require('mathjax-full/js/handlers/html.js');
const { AllPackages } = require('mathjax-full/js/input/tex/AllPackages.js');

const here = (name) => new URL(name, import.meta.url);
const adaptor = liteAdaptor();
RegisterHTMLHandler(adaptor);

const formulas = fs.readFileSync(here('formulas.txt'), 'utf8').split('\n').filter(Boolean);

for (const fontCache of ['none', 'local']) {
  const dir = `mathjax-${fontCache}/`;
  fs.rmSync(here(dir), { recursive: true, force: true });
  fs.mkdirSync(here(dir));
  formulas.forEach((latex, i) => {
    // A document for each formula: the ids of 'local' then do not depend on the line number.
    const html = mathjax.document('', {
      InputJax: new TeX({ packages: AllPackages }),
      OutputJax: new SVG({ fontCache }),
    });
    const container = html.convert(latex, { display: true });
    const svg = adaptor.firstChild(container); // <mjx-container><svg>...</svg></mjx-container>
    adaptor.setAttribute(svg, 'xmlns', 'http://www.w3.org/2000/svg');
    adaptor.setAttribute(svg, 'xmlns:xlink', 'http://www.w3.org/1999/xlink');
    const text = adaptor.outerHTML(svg);
    if (/merror|data-mjx-error|fill="red"/.test(text)) {
      throw new Error(`line ${i + 1}: MathJax cannot read ${latex}`);
    }
    fs.writeFileSync(here(`${dir}${String(i + 1).padStart(3, '0')}.svg`), text + '\n');
  });
}
