import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { elementsInside, isAllText, isText, nearestByTag, nextInside } from '#extract/html/tree.ts';
import { PARSED_ELEMENTS_MAX, DOM_DEPTH_MAX, XHTML_DEPTH_MAX } from '#extract/limits.ts';
import { parsePage } from '#extract/html/parse-page.ts';
import type { DomElement, DomNode } from '#extract/html/tree.ts';

const pageOf = (body: string) =>
  parsePage(`<!doctype html><html lang="en"><head></head><body>${body}</body></html>`, false).document;

function only(found: DomElement | null): DomElement {
  if (found === null) throw new Error('not found');
  return found;
}

/** The tree as it would be written. */
function written(node: DomNode): string {
  if (isText(node)) return node.textContent ?? '';
  let inside = '';
  for (let child = node.firstChild; child !== null; child = child.nextSibling) inside += written(child);
  return `(${inside})`;
}

describe('the tree of a page', () => {
  it('keeps its elements and texts in order after any removals', () => {
    const depths = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(depths, fc.nat(), (drawn, which) => {
        const parts = drawn.map((depth, at) => `${'<div>'.repeat(depth)}<b>${at}</b>${'</div>'.repeat(depth)}`);
        const { body } = pageOf(parts.join(''));
        const signs = (some: readonly string[]) =>
          some
            .join('')
            .replace(/<\/\w+>/g, ')')
            .replace(/<\w+>/g, '(');
        expect(written(body)).toBe(`(${signs(parts)})`);
        const gone = which % drawn.length;
        only([...body.querySelectorAll('b')][gone] ?? null).remove();
        const left = parts.map((part, at) => (at === gone ? part.replace(/<b>.*<\/b>/, '') : part));
        expect(written(body)).toBe(`(${signs(left)})`);
        expect(body.textContent).toBe(signs(left).replace(/[()]/g, ''));
        for (let node: DomNode | null = body; node !== null; node = nextInside(body, node)) {
          if (node.nextSibling !== null) expect(node.nextSibling.parentNode).toBe(node.parentNode);
        }
      }),
    );
  });

  it('has each class name once, and only attributes of the page', () => {
    const element = only(pageOf('<p class=" a  b\na " id="">text</p>').body.querySelector('p'));
    expect(element.getAttribute('class')).toBe('a b');
    expect(element.getAttribute('id')).toBe('');
    expect(element.getAttribute('constructor')).toBeNull();
    expect(element.hasAttribute('title')).toBe(false);
  });

  it('matches selectors like a browser', () => {
    const page = pageOf('<ul class="menu"><li>One</li><li id="b">Two</li></ul><p lang="de">Drei</p>');
    const texts = (selector: string) => [...page.querySelectorAll(selector)].map(({ textContent }) => textContent);
    expect(texts('.menu > li')).toEqual(['One', 'Two']);
    expect(texts('li:nth-child(2), p')).toEqual(['Two', 'Drei']);
    expect(texts('ul:has(#b) + p[lang="de"]')).toEqual(['Drei']);
    expect(page.querySelector('html:root')).toBe(page.documentElement);
    expect(only(page.querySelector('#b')).closest('.menu')).toBe(page.querySelector('ul'));
    expect(page.querySelector('nav')).toBeNull();
    expect(() => page.querySelector('p[')).toThrow('Expected name');
  });

  it('can be walked without selectors', () => {
    const { body } = pageOf('<table><tr><td><i>1</i> 2</td><td>a</td></tr></table><div></div>');
    const [first, second] = elementsInside(body, new Set(['td']));
    const digits = /^[\d\s]+$/;
    expect([first, second, body.querySelector('div')].map((one) => isAllText(only(one ?? null), digits))).toEqual([
      true,
      false,
      false,
    ]);
    expect(nearestByTag('table', only(first ?? null))).toBe(body.querySelector('table'));
    expect(nearestByTag('ul', only(first ?? null))).toBeNull();
  });
});

/** Names and texts of the body; what browsers have between the same marks was looked up in Chromium. */
function shape(html: string): string {
  const inside = (node: DomNode): string => {
    let out = '';
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
      out += isText(child) ? child.textContent : `<${child.localName}>${inside(child)}</>`;
    }
    return out;
  };
  return inside(parsePage(html, false).document.body);
}

describe('a page that is not well formed', () => {
  it.each([
    ['formatting over paragraphs', '<p><b>a<p>b</b>c', '<p><b>a</></><p><b>b</>c</>'],
    ['crossing formats', '<b>a<i>b</b>c</i>d', '<b>a<i>b</></><i>c</>d'],
    ['text in a table', '<table>a<tr><td>b</table>', 'a<table><tbody><tr><td>b</></></></>'],
    ['a block in a link', '<a href=x>a<div>b</a>c', '<a>a</><div><a>b</>c</>'],
    ['an unfinished CDATA section', '<p>a<![CDATA[b>c', '<p>ac</>'],
    ['a paragraph that leaves a hidden part', '<b><span hidden>a<p>b</b>c', '<b></><p><b>b</>c</>'],
    ['an attribute that is never closed', '<p>a<p title="b>c', '<p>a</>'],
  ])('is read as browsers read it: %s', (_, html, expected) => {
    expect(shape(html)).toBe(expected);
  });

  it('keeps the order of text that is nested too deep', () => {
    const deep = '<div>'.repeat(DOM_DEPTH_MAX + 5);
    const { document, cuts } = parsePage(`${deep}a<p>b<img alt=c></p>d<p>e`, false);
    expect(document.body.textContent).toBe('abde');
    expect(document.body.querySelectorAll('p')).toHaveLength(2);
    expect(document.body.querySelectorAll('img')).toHaveLength(1);
    expect(cuts).toEqual([`Elements nested deeper than ${DOM_DEPTH_MAX} levels were read as neighbours.`]);
  });

  it('stops a parser that creates endless elements, even if none of them is stored', () => {
    const open = Array.from({ length: 2_000 }, (_, at) => `<b class=c${at}>`).join('');
    const { document, cuts } = parsePage(`<p>before</p><canvas><p>${open}${'<p>x'.repeat(500)}</canvas>`, false);
    expect(document.body.textContent).toBe('before');
    expect(cuts).toEqual([`The page makes more than ${PARSED_ELEMENTS_MAX} elements: the rest was left out.`]);
  });
});

describe('the source of scripts and style sheets', () => {
  it.each([
    ['tags in it', '<script>a="<p>x</p>"</script><style>a{content:"</script><p>x"}</style>b', 'b'],
    ['an end in a comment', '<script><!--<script></script>x--></script>b', 'b'],
    ['an end with a space, another case, no end', '<SCRIPT>x</Script ><style>y</STYLE\n>b<script>z', 'b'],
    ['an end tag of another element', '<style>x</styles></style>b', 'b'],
    ['SVG, where it is markup', '<svg><script>x<p>b', '<p>b</>'],
    ['an attribute', '<p title="<script>">b</p>', '<p>b</>'],
    ['a comment', '<!-- <script> -->b<script>x</script>c', 'bc'],
    ['a formula', '<p>b<script type="math/tex">a</script>', '<p>b<x-tex>a</></>'],
  ])('is skipped: %s', (_, html, expected) => {
    expect(shape(html)).toBe(expected);
  });
});

describe('XHTML', () => {
  it('has self-closed elements and CDATA sections, and gets a body if it has none', () => {
    const { document } = parsePage('<?xml version="1.0"?><p>a<a id="x"/>b<![CDATA[<i>]]>&nbsp;c</p><p>d</p>', true);
    expect([...document.body.children].map(({ textContent }) => textContent)).toEqual(['ab<i>\u00a0c', 'd']);
  });

  it('is cut when it is nested without end', () => {
    const { document, cuts } = parsePage(`<html><body><p>a</p>${'<div>'.repeat(100_000)}b</body></html>`, true);
    expect(document.body.textContent).toBe('a');
    expect(cuts.join(' ')).toContain(`Elements nested deeper than ${XHTML_DEPTH_MAX} levels: the rest was left out.`);
  });
});
