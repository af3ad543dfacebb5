/**
 * Times extraction of pages made to be slow, and of one page in growing sizes. Usage: node bench/hostile.ts
 * Prints milliseconds of CPU and the heap each takes; nothing should need a second, and time should grow with size.
 */
import { extract } from '#extract/extract.ts';

const PAGES: Readonly<Record<string, string>> = {
  '100,000 nested div': `${'<div>'.repeat(100_000)}deep${'</div>'.repeat(100_000)}`,
  '2,000 nested div': `${'<div>'.repeat(2_000)}deep${'</div>'.repeat(2_000)}`,
  '20,000 nested ul li': '<ul><li>item '.repeat(20_000),
  '4,000 unclosed p div span': '<p><div><span>text '.repeat(4_000),
  '16,000 img': '<img src="/a.png" alt="picture">'.repeat(16_000),
  '20,000 p': '<p>Some paragraph text, with a comma and an end.</p>'.repeat(20_000),
  'table 8,000 x 5': `<table>${`<tr>${'<td>cell text</td>'.repeat(5)}</tr>`.repeat(8_000)}</table>`,
  'table 50,000 rows': `<table>${'<tr><td>a</td><td>b</td></tr>'.repeat(50_000)}</table>`,
  '8,000 text br br': 'some text here<br><br>'.repeat(8_000),
  '2 MB of br': `<p>x</p>${'<br>'.repeat(500_000)}`,
  '100,000 attributes': `<div ${Array.from({ length: 100_000 }, (_, i) => `a${i}="v"`).join(' ')}>text in it</div>`,
  'one text of 5 MB': `<p>${'word '.repeat(1_000_000)}`,
  'one word of 3 MB': `<p>${'a'.repeat(3_000_000)}`,
  '5 MB of entities': `<p>${'&lt;&amp;'.repeat(555_000)}`,
  '1 MB of <': `<p>${'<'.repeat(1_000_000)}`,
  '120,000 sentences': `<p>${'A short one. Is it? '.repeat(120_000)}`,
  '12,000 links': `<p>${'<a href="/x">link</a> text '.repeat(12_000)}`,
  '12,000 li with links': `<ul>${'<li><a href="/x">link</a></li>'.repeat(12_000)}</ul>`,
  '24,000 div of a class each': Array.from(
    { length: 24_000 },
    (_, i) => `<div class="c${i} x-${i}">text ${i}</div>`,
  ).join(''),
  '24,000 span in a p': `<p>${'<span class="a">word</span>'.repeat(24_000)}`,
  '20,000 footnote references': '<sup><a href="#fn1">1</a></sup> text '.repeat(8_000) + '<ol><li id="fn1">note</ol>',
  '5 MB of script': `<script>${'var a = "<p>";'.repeat(360_000)}</script><p>text after it</p>`,
};

await run('<p>warm up, some text.</p>'.repeat(2_000));
for (const [name, html] of Object.entries(PAGES)) {
  const { ms, heap } = await run(html);
  console.log(
    `${name.padEnd(30)} ${(html.length / 1_000).toFixed(0).padStart(6)} kB ${ms.toFixed(0).padStart(6)} ms ${heap.toFixed(0).padStart(4)} MB`,
  );
}
const part =
  '<section><h2>Part</h2><p>Some <b>bold</b> text of a page, with <a href="/x">links</a> in it. And more of it, to fill a line or two, as pages do when they have something to say.</p><ul><li>One item</li><li>Another item</li></ul></section>';
const times: number[] = [];
for (const size of [500_000, 5_000_000]) {
  const { ms } = await run(`<main>${part.repeat(Math.floor(size / part.length))}</main>`);
  times.push(ms);
  console.log(`${size / 1_000} kB of ordinary page: ${ms.toFixed(0)} ms`);
}
console.log(`5 MB costs ${((times[1] ?? 0) / (times[0] ?? 1)).toFixed(1)} times 500 kB`);

async function run(text: string): Promise<{ ms: number; heap: number }> {
  const before = process.memoryUsage().heapUsed;
  const cpu = process.cpuUsage();
  await extract({ kind: 'html', text, bytes: new Uint8Array(), url: 'https://docs.example/a/b', mode: 'readable' });
  const { user, system } = process.cpuUsage(cpu);
  return { ms: (user + system) / 1_000, heap: (process.memoryUsage().heapUsed - before) / 1e6 };
}
