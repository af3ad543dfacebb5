import { describe, expect, it } from 'vitest';
import { markFooterTexts } from '#extract/html/main/furniture.ts';
import { computeSelectionReach } from '#extract/html/main/model/kind.ts';
import { divideIntoSegments } from '#extract/html/main/segments.ts';
import { ContentSelection } from '#extract/html/main/selection.ts';
import { smoothSelection } from '#extract/html/main/smooth-selection.ts';
import { parsePage } from '#extract/html/parse-page.ts';

const BAR = 0.5;
const REACH = 1.4;
const IN = 0.9;
/** Log odds of -1.4, which is 1.4 below the bar. */
const NEAR = 0.2;
/** 4.6 below it. */
const FAR = 0.01;

/** The kept texts if each segment has the chance that its text states. */
function kept(html: string): string[] {
  const { segments } = divideIntoSegments(parsePage(html, false).document.body);
  const chances = segments.map(({ text }) => (text.includes('near') ? NEAR : text.includes('far') ? FAR : IN));
  const keep = chances.map((chance) => chance > BAR);
  const selection = new ContentSelection(segments, chances, { keep, bar: BAR }, REACH);
  smoothSelection(selection, markFooterTexts(segments), false);
  return segments.filter(({ index }) => selection.has(index)).map(({ text }) => text);
}

const NAMES = ['open gate', 'close gate', 'set level', 'show level', 'quit'];

function commands(names: (name: string) => string, says: (name: string) => string): string {
  return `<main>${NAMES.map((name) => `${names(name)}${says(name)}`).join('')}</main>`;
}

describe('similar siblings', () => {
  it('stay in place between kept siblings, such as the names of commands', () => {
    const html = commands(
      (name) => `<div class="keyword">${name} near</div>`,
      (name) => `<pre class="text">What ${name} does.</pre>`,
    );
    const texts = kept(`${html.replace('</main>', '')}<pre class="text">The end.</pre></main>`);
    for (const name of NAMES.slice(1)) expect(texts).toContain(`${name} near`);
  });

  it('are kept when most of them are selected, including the last ones', () => {
    const parts = ['one', 'two', 'three', 'four near', 'five', 'six near', 'seven near'];
    const texts = kept(parts.map((part) => `<div class="part"><span>Part ${part}</span></div>`).join(''));
    expect(texts).toEqual(parts.map((part) => `Part ${part}`));
  });

  it.each([
    ['are far below the bar', (name: string) => `<div class="keyword">${name} far</div>`],
    ['all say the same', () => '<div class="keyword">Advertisement near</div>'],
    ['consist of links', (name: string) => `<div class="keyword"><a href="/x">${name} near</a></div>`],
  ])('are dropped if they %s', (_, names) => {
    const html = commands(names, (name) => `<pre class="text">What ${name} does.</pre>`);
    expect(kept(html).filter((text) => /near|far/.test(text))).toEqual([]);
  });

  it('are dropped before the first selected one, and when few of them are selected', () => {
    const parts = ['one near', 'two near', 'three', 'four near', 'five near'];
    const texts = kept(parts.map((part) => `<div class="part"><span>Part ${part}</span></div>`).join(''));
    expect(texts).toEqual(['Part three']);
  });
});

describe('a page that consists mostly of code', () => {
  const UNSURE = [0.5, 0.3, 0.05, 0.05, 0, 0.1, 0];
  const pageWith = (tag: string) => {
    const text = (name: string) => `What ${name} does when the level of the lock is low.`;
    const html = NAMES.map((name) => `<p>${name}</p><${tag}>${text(name)}</${tag}>`).join('');
    return divideIntoSegments(parsePage(html, false).document.body).segments;
  };

  it('counts as documentation when little of its text is omitted', () => {
    expect(computeSelectionReach(UNSURE, pageWith('pre'))).toBeGreaterThan(3);
    expect(computeSelectionReach(UNSURE, pageWith('p'))).toBeLessThan(2);
  });
});
