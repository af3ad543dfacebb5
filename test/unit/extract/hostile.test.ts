import { describe, expect, it } from 'vitest';
import { DOM_ELEMENTS_MAX, UNBROKEN_LINE_BYTES_MAX, DOM_DEPTH_MAX } from '#extract/limits.ts';
import { utf8Bytes } from '#core/text/text.ts';
import { parsePage } from '#extract/html/parse-page.ts';
import { isElement } from '#extract/html/tree.ts';
import type { DomNode } from '#extract/html/tree.ts';
import { hostileSize as size } from '#support/stories.ts';
import { read } from './support.ts';

const PAGES: Readonly<Record<string, string>> = {
  'nested divs': `${'<div>'.repeat(size(100_000))}needle${'</div>'.repeat(size(100_000))}`,
  'megabytes of br': `<p>needle</p>${'<br>'.repeat(size(500_000))}<p>end</p>`,
  'a table of very many rows': `<table><tr><td>needle<td>x</tr>${'<tr><td>a</td><td>b</td></tr>'.repeat(size(50_000))}</table>`,
  'no html and no body': 'needle <b>bold',
  'everything unclosed': '<div><ul><li>needle<li><table><tr><td><b><i><a href="/x"><pre><h2><p><blockquote><dl><dt>x',
  'very many paragraphs': '<p>needle, some text.</p>'.repeat(size(20_000)),
  'very many images': `<p>needle</p>${'<img src="/a.png" alt="x">'.repeat(size(16_000))}`,
  'unclosed p div span': '<p><div><span>needle '.repeat(size(4_000)),
  'very many attributes': `<div ${Array.from({ length: size(100_000) }, (_, i) => `a${i}="v"`).join(' ')}>needle</div>`,
  'nested lists': '<ul><li>needle '.repeat(size(20_000)),
  'one huge text': `<p>needle ${'word '.repeat(size(620_000))}`,
  'one endless word': `<p>needle ${'a'.repeat(size(2_900_000))}`,
  'open brackets': `<p>needle ${'[](('.repeat(size(300_000))}`,
  'runs of backticks': `<p>needle ${'`a``b```'.repeat(size(100_000))}`,
  'dollar signs': `<p>needle ${'$a '.repeat(size(300_000))}`,
  'marks of TeX that never close': `<p>needle ${'\\( $x \\[ \\begin{align} '.repeat(size(60_000))}`,
  'marks of TeX around what is no TeX': `<p>needle ${`${'\\('.repeat(1_500)}\\)`.repeat(size(400))}`,
  'compared lines': `<p>needle</p><table>${'<tr class="diff add"><td data-code-marker="+">x<td>y'.repeat(size(20_000))}`,
  'line ends that are drawn': `<div style="white-space:pre">needle${'\n'.repeat(size(100_000))}x</div>`,
  'nested parts that draw line ends': `needle ${'<div style="white-space:pre;display:flex;text-decoration:line-through">a\n'.repeat(size(1_000))}`,
  'places that no part fills': `<p>needle</p>${'<template id="B:1"></template><!--$?--><p>x</p><!--/$-->'.repeat(size(20_000))}`,
  'parts within parts': `<p>needle</p>${Array.from({ length: size(5_000) }, (_, i) => `<div hidden id="S:${i.toString(16)}"><template id="B:${(i + 1).toString(16)}"></template>x</div>`).join('')}`,
  'hidden parts in hidden parts': `<p>needle</p><div role="dialog">x</div>${'<div aria-hidden="true">'.repeat(size(20_000))}`,
  'rows of icons': `<p>needle</p><table>${`<tr><td>x${'<td><i class="fa fa-check">'.repeat(300)}`.repeat(20)}`,
  'tables by role': `<p>needle</p>${'<div role="table"><div role="row"><span role="cell">x</span></div></div>'.repeat(size(10_000))}`,
  'misnested spans': `<div>${'<span>'.repeat(size(50_000))}${'</div>'.repeat(size(50_000))}needle`,
  'open formats': `${'<b><p>'.repeat(size(4_000))}needle`,
  'very many line ends in pre': `<pre>needle${'\n'.repeat(size(1_000_000))}x`,
  'spans over everything': `<table><tr>${'<td colspan=1000 rowspan=60000>needle</td>'.repeat(100)}</tr>${'<tr><td>y</td></tr>'.repeat(size(5_000))}</table>`,
};

describe('hostile HTML', () => {
  for (const [name, html] of Object.entries(PAGES)) {
    it(`reads ${name} without failing`, async () => {
      for (const mode of ['raw', 'readable'] as const) {
        const { lines } = await read('html', html, mode);
        expect(lines.some((line) => line.includes('needle'))).toBe(true);
        expect(lines.every((line) => !line.includes('\n') && utf8Bytes(line) <= UNBROKEN_LINE_BYTES_MAX)).toBe(true);
      }
    });
  }

  it('reports too many elements from formatting that is never closed', async () => {
    const { lines, cuts } = await read('html', `<p>needle</p>${'<b><p>x'.repeat(10_000)}`);
    expect(lines[0]).toBe('needle');
    expect(cuts.join(' ')).toContain(String(DOM_ELEMENTS_MAX));
  });

  it('reports that elements nested too deep were read as siblings', async () => {
    const { cuts } = await read('html', PAGES['nested divs'] ?? '');
    expect(cuts.join(' ')).toContain(String(DOM_DEPTH_MAX));
  });

  it('is divided when it has too much text, and reports that an endless line was broken', async () => {
    const { cuts, pages } = await read('html', `<p>${'a'.repeat(3_100_000)}`);
    expect(cuts).toHaveLength(1);
    expect(pages).toEqual({ first: 1, last: 1, total: 2 });
  });

  it('never gives the DOM more depth or elements than the limits', () => {
    for (const html of Object.values(PAGES)) {
      const root = parsePage(html, false).document.documentElement;
      let elements = 0;
      let deepest = 0;
      let depth = 0;
      for (let node: DomNode | null = root; node !== null;) {
        if (isElement(node)) elements += 1;
        deepest = Math.max(deepest, depth);
        if (node.firstChild !== null) {
          node = node.firstChild;
          depth += 1;
          continue;
        }
        while (node !== root && node.nextSibling === null && node.parentNode !== null) {
          node = node.parentNode;
          depth -= 1;
        }
        node = node === root ? null : node.nextSibling;
      }
      // A copy of an element that is too deep, and its text, are below the last level.
      expect(deepest).toBeLessThanOrEqual(DOM_DEPTH_MAX + 2);
      // `html`, `head` and `body` are made for pages without them.
      expect(elements).toBeLessThanOrEqual(DOM_ELEMENTS_MAX + 3);
    }
  });
});
