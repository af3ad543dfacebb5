import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { elementsInside, isAllText, isText, nearestOf, nextInside } from '#extract/html/tree.ts';
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
  it('holds its elements and texts in order, whatever is taken out of it', () => {
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

  it('has each name of a class once, and no attribute that the page did not give', () => {
    const element = only(pageOf('<p class=" a  b\na " id="">text</p>').body.querySelector('p'));
    expect(element.getAttribute('class')).toBe('a b');
    expect(element.getAttribute('id')).toBe('');
    expect(element.getAttribute('constructor')).toBeNull();
    expect(element.hasAttribute('title')).toBe(false);
  });

  it('is found by selectors as in a browser', () => {
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

  it('is walked without selectors', () => {
    const { body } = pageOf('<table><tr><td><i>1</i> 2</td><td>a</td></tr></table><div></div>');
    const [first, second] = elementsInside(body, new Set(['td']));
    const digits = /^[\d\s]+$/;
    expect([first, second, body.querySelector('div')].map((one) => isAllText(only(one ?? null), digits))).toEqual([
      true,
      false,
      false,
    ]);
    expect(nearestOf('table', only(first ?? null))).toBe(body.querySelector('table'));
    expect(nearestOf('ul', only(first ?? null))).toBeNull();
  });
});
