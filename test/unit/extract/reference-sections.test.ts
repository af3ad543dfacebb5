import { describe, expect, it } from 'vitest';
import { markFooterTexts } from '#extract/html/main/furniture.ts';
import { divideIntoSegments } from '#extract/html/main/segments.ts';
import { ContentSelection } from '#extract/html/main/selection.ts';
import { smoothSelection } from '#extract/html/main/smooth-selection.ts';
import { parsePage } from '#extract/html/parse-page.ts';

const BAR = 0.5;
const REACH_OF_DOCUMENTATION = 3.8;
/** Log odds of -1.4: below the bar, and within reach. */
const NEAR = 0.2;
const IN = 0.9;

/** The kept texts of documentation if those with "near" are below the bar. */
function kept(html: string): string[] {
  const { segments } = divideIntoSegments(parsePage(html, false).document.body);
  const foot = markFooterTexts(segments);
  const chances = segments.map(({ text, index }) => (foot[index] === true ? 0 : text.includes('near') ? NEAR : IN));
  const keep = chances.map((chance) => chance > BAR);
  const selection = new ContentSelection(segments, chances, { keep, bar: BAR }, REACH_OF_DOCUMENTATION);
  smoothSelection(selection, foot, false);
  return segments.filter(({ index }) => selection.has(index)).map(({ text }) => text);
}

describe('sections of documentation', () => {
  it('keep the paragraphs of links under their headings', () => {
    const html =
      '<div><h2>Depth</h2><p>It gives back the depth.</p><h2>See also</h2><p><a href="/w">width near</a>, <a href="/h">height near</a></p></div>';
    expect(kept(html)).toContain('width near, height near');
  });

  it('do not keep a menu under a heading', () => {
    const items = ['width', 'height', 'speed', 'time'].map((name) => `<li><a href="/${name}">${name} near</a></li>`);
    const html = `<div><h2>Depth</h2><p>It gives back the depth.</p><h2>Pages</h2><ul>${items.join('')}</ul></div>`;
    expect(kept(html)).not.toContain('width near');
  });

  it('keep the text between a heading and the end, in several parts of the page', () => {
    const entries = ['bin', 'bom', 'dec'].map(
      (name) =>
        `<div class="func"><h3>${name} near</h3><p>Calls <a href="/set">what sets the level of it</a> for ${name} near.</p><p>Since version 5, for ${name} near.</p></div>`,
    );
    const html = `<div class="page"><h2>Functions</h2><p>All of them.</p>${entries.join('')}</div>`;
    for (const name of ['bin', 'bom', 'dec']) {
      expect(kept(html)).toContain(`Calls what sets the level of it for ${name} near.`);
    }
  });

  it('keep the names and the purpose of a DocBook entry at its top', () => {
    const html =
      '<div class="refentry"><div class="refnamediv"><table><tr><td><h2>depth near</h2><p>depth — tells how deep it is, near the gate</p></td></tr></table></div><div class="refsect1"><h2>Description</h2><p>It gives back the depth.</p></div></div>';
    expect(kept(html)).toContain('depth — tells how deep it is, near the gate');
  });
});

describe('the foot of a page', () => {
  const section = (id: string, heading: string, className = 'section') =>
    `<div class="${className}" id="${id}"><h2>${heading}</h2><p>It holds what is written at the end of ${heading}.</p></div>`;
  const pageWith = (part: string) =>
    `<div><h1>Elements</h1><p>A long text about elements. ${'It goes on and on about each of them. '.repeat(8)}</p>${part}</div>`;

  it('is not confused with a section about footers', () => {
    for (const name of ['footer', 'copyright']) {
      expect(kept(pageWith(section(name, name)))).toContain(`It holds what is written at the end of ${name}.`);
    }
  });

  it('is recognised by its name when the section is not about footers', () => {
    expect(kept(pageWith(section('footer', 'Our harbour')))).not.toContain('Our harbour');
    expect(kept(pageWith(section('x', 'Copyright', 'copyright')))).not.toContain('Copyright');
  });
});
