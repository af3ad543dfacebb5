/**
 * A manual with three times as many elements as one document may have: sections with a heading, a name, words, a list
 * and a table each. Most elements are lights in a single line, so the manual is long for its parser and short for its
 * reader.
 */
export const LONG_HTML_SECTIONS = 300;
const LIGHTS = '<span>o</span>'.repeat(120);

export function longHtml(): string {
  const sections = Array.from({ length: LONG_HTML_SECTIONS }, (_, index) => sectionOf(index + 1));
  return `<!doctype html><html lang="en"><head><title>The lamp manual</title></head>
<body><main><h1>The lamp manual</h1><p>It lists every lamp. <a href="#lamp-${LONG_HTML_SECTIONS}">The last</a> is the brightest.</p>${sections.join('\n')}</main></body></html>`;
}

function sectionOf(n: number): string {
  const rows = [1, 2, 3].map((row) => `<tr><td>part ${n}.${row}</td><td>weighs <b>${row}</b> grams</td></tr>`).join('');
  return `<section id="lamp-${n}"><h2>Lamp ${n}</h2><p>Lamp ${n} begins here, and it shines on <em>all</em> the boats.</p>
<ul><li>wick ${n}a</li><li>wick ${n}b</li></ul><table><thead><tr><th>Part</th><th>Weight</th></tr></thead><tbody>${rows}</tbody></table><p>${LIGHTS}</p>
<p>Lamp ${n} ends here.</p></section>`;
}
