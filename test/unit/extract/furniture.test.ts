import { describe, expect, it } from 'vitest';
import { mainLines } from '#core/document/document.ts';
import { markFooterTexts, markMenuTexts } from '#extract/html/main/furniture.ts';
import { divideIntoSegments } from '#extract/html/main/segments.ts';
import { parsePage } from '#extract/html/parse-page.ts';
import { read } from './support.ts';

const links = (count: number) =>
  Array.from({ length: count }, (_, n) => `<div><a href="/${n}">Library ${n}</a> (v${n})</div>`).join('');
const PROSE = 'The valve of the lock opens when the water on both sides of the gate stands equally high.';

function menuTexts(html: string): string[] {
  const { segments } = divideIntoSegments(parsePage(html, false).document.body);
  const menus = markMenuTexts(segments);
  return segments.flatMap(({ text, index }) => (menus[index] === true ? [text] : []));
}

describe('the navigation of a page', () => {
  it('is a menu where it consists of links, whatever it is drawn in', () => {
    for (const open of [
      'nav',
      'div role="navigation"',
      'div class="t-navbar"',
      'div id="sideMenu"',
      'ul class="breadcrumbs"',
    ]) {
      expect(menuTexts(`<p>${PROSE}</p><${open}>${links(3)}</${open.split(' ')[0]}>`)).toEqual([
        'Library 0 (v0)',
        'Library 1 (v1)',
        'Library 2 (v2)',
      ]);
    }
  });

  it('is not a menu where it contains a title or running text, or few links', () => {
    expect(menuTexts(`<body class="with-navbar"><h1>Locks</h1>${links(30)}</body>`)).toEqual([]);
    expect(menuTexts(`<div class="has-sidebar"><p>${PROSE}</p>${links(30)}</div>`)).toEqual([]);
    expect(
      menuTexts('<div class="menu"><p>Soup, 4.20</p><p>Bread, 1.10, with <a href="/b">butter</a></p></div>'),
    ).toEqual([]);
    expect(menuTexts(`<div class="menus-of-code">${links(3)}</div>`)).toEqual([]);
  });

  it('is not the head of a reference page, whose first lines show its content', async () => {
    const menu = `<div class="doc-navbar"><table><tr><td>${links(90)}</td></tr></table></div>`;
    const sections = ['Parameters', 'Return value', 'Exceptions']
      .map((name) => `<h3>${name}</h3><p>The ${name.toLowerCase()} of this function: the level of the water.</p>`)
      .join('');
    const page = `<title>lock::level</title><h1>lock::level</h1><div id="content">${menu}<pre>int level() const;</pre><p>${PROSE}</p>${sections}<h3>Complexity</h3><p>Constant.</p></div>`;
    const extracted = await read('html', page, 'readable', 'https://docs.example/reference/lock/level');
    expect(mainLines(extracted).slice(0, 12).join('\n')).toContain(PROSE);
    expect(mainLines(extracted).join('\n')).not.toContain('Library 7');
    expect(extracted.lines.join('\n')).toContain('Library 7');
  });

  it('is kept if the page has no other text', async () => {
    const extracted = await read('html', `<nav><ul>${links(5)}</ul></nav>`, 'readable');
    expect(mainLines(extracted).join('\n')).toContain('Library 4');
  });
});

describe('the footer of a page', () => {
  it('is recognised by element, role or name, and is never a large part of the page', () => {
    const { segments } = divideIntoSegments(
      parsePage(`<p>${PROSE}</p><footer>Imprint</footer><div role="contentinfo">Terms</div>`, false).document.body,
    );
    expect(markFooterTexts(segments)).toEqual([false, true, true]);
    const whole = divideIntoSegments(parsePage(`<p>Short.</p><footer><p>${PROSE}</p></footer>`, false).document.body);
    expect(markFooterTexts(whole.segments)).toEqual([false, false]);
  });
});

describe('the footer of a page', () => {
  const footTexts = (html: string) => {
    const { segments } = divideIntoSegments(parsePage(html, false).document.body);
    const foot = markFooterTexts(segments);
    return segments.flatMap(({ text, index }) => (foot[index] === true ? [text] : []));
  };

  it('is not the last line of each card', () => {
    const card = (at: number) =>
      `<div class="overview-card"><p>${PROSE}</p><div class="overview-card-footer">of ${at}</div></div>`;
    expect(footTexts(`${[1, 2, 3].map(card).join('')}<div class="page-footer">Imprint</div>`)).toEqual(['Imprint']);
  });

  it('may be alone in a band that looks like the bands above it', () => {
    const bands = [`<p>${PROSE}</p>`, `<h2>Piers</h2><p>${PROSE}</p>`, '<footer><p>Imprint</p><p>Terms</p></footer>'];
    expect(footTexts(bands.map((band) => `<section>${band}</section>`).join(''))).toEqual(['Imprint', 'Terms']);
  });

  it('has the lines of cards that ask readers to share them', () => {
    const card = (at: number) =>
      `<article><p>${PROSE}</p><footer><p>Posted on ${at} May</p><p>Share this with your friends.</p></footer></article>`;
    const calls = ['Share this with your friends.', 'Share this with your friends.', 'Share this with your friends.'];
    expect(footTexts([1, 2, 3].map(card).join(''))).toEqual(calls);
  });

  it('may consist of columns with the same name', () => {
    const columns = [1, 2, 3].map((at) => `<div class="footer-column">Column ${at}</div>`).join('');
    expect(footTexts(`<p>${PROSE.repeat(3)}</p><div class="bottom">${columns}</div>`)).toHaveLength(3);
  });
});
