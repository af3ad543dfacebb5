/** A manual of more elements than one document holds: sections with a heading, a name, words, a list and a table each. */
export const LONG_HTML_SECTIONS = 1_600;

export function longHtml(): string {
  const sections = Array.from({ length: LONG_HTML_SECTIONS }, (_, index) => sectionOf(index + 1));
  return `<!doctype html><html lang="en"><head><title>The lamp manual</title></head>
<body><main><h1>The lamp manual</h1><p>It lists every lamp. <a href="#lamp-1500">Lamp 1500</a> is the brightest.</p>${sections.join('\n')}</main></body></html>`;
}

/** HTML of more bytes than a page may have. */
export function hugeHtml(): string {
  const words = 'lamp and glass and oil and light '.repeat(30);
  const parts = Array.from({ length: 5_200 }, (_, n) => `<h2>Shelf ${n + 1}</h2><p>${words}${n + 1}.</p>`);
  return `<!doctype html><html><head><title>The store</title></head><body><main>${parts.join('')}</main></body></html>`;
}

function sectionOf(n: number): string {
  const rows = [1, 2, 3].map((row) => `<tr><td>part ${n}.${row}</td><td>weighs <b>${row}</b> grams</td></tr>`).join('');
  return `<section id="lamp-${n}"><h2>Lamp ${n}</h2><p>Lamp ${n} begins here, and it shines on <em>all</em> the boats.</p>
<ul><li>wick ${n}a</li><li>wick ${n}b</li></ul><table><thead><tr><th>Part</th><th>Weight</th></tr></thead><tbody>${rows}</tbody></table>
<p>Lamp ${n} ends here.</p></section>`;
}
