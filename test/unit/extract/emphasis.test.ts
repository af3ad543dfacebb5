import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markdownOf } from './support.ts';
import { rendered } from './support-html.ts';
import { stories } from '#support/stories.ts';

type Node = string | { tag: 'b' | 'i' | 's' | 'code' | 'a' | 'br'; children: readonly Node[] };

const words = fc.constantFrom(
  'a',
  'word',
  'two words',
  ' ',
  ' x',
  'y ',
  '.',
  'schema.',
  '(',
  ')',
  ';',
  '=',
  ' = ',
  '"q"',
  '0 | 1',
  'snake_case',
  '*',
  '_',
  '**',
  '~',
  '—',
  '東京',
  '1',
  '!',
  '&',
  '<',
  '\\',
);
const { tree } = fc.letrec<{ tree: Node[]; node: Node }>((tie) => ({
  tree: fc.array(tie('node'), { maxLength: 6 }),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    words,
    fc.record({ tag: fc.constantFrom('b' as const, 'i' as const, 's' as const, 'a' as const), children: tie('tree') }),
    fc.constant<Node>({ tag: 'code', children: ['c'] }),
    fc.constant<Node>({ tag: 'br', children: [] }),
  ),
}));

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

function htmlOf(nodes: readonly Node[]): string {
  return nodes
    .map((node) => {
      if (typeof node === 'string') return escaped(node);
      if (node.tag === 'br') return '<br>';
      const href = node.tag === 'a' ? ' href="https://a.dev/x_y_z*"' : '';
      return `<${node.tag}${href}>${htmlOf(node.children)}</${node.tag}>`;
    })
    .join('');
}

const textOf = (html: string) =>
  html
    .replace(/<br ?\/?>/gu, ' ')
    .replace(/<[^>]*>/gu, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/gu, ' ')
    .trim();

/** Two pieces of code that would run together are set apart by a space. */
const lettersOf = (html: string) => textOf(html).replaceAll(' ', '');

const emphasisOf = (html: string, tag: string) =>
  [...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gsu'))].map(([, inner = '']) => textOf(inner));

describe('bold, italic and struck-out text', () => {
  it('are read as written or not marked at all, so no mark ever appears as text', async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (nodes) => {
        const html = htmlOf(['A beginning. ', ...nodes, ' An end.']);
        expect(lettersOf(rendered(await markdownOf(`<p>${html}</p>`)))).toBe(lettersOf(html));
      }),
      { numRuns: stories(200) },
    );
  });

  it.each([
    'a<b><b><i>!</i></b><a href="https://a.dev/">a</a></b>',
    '\\!<a href="https://a.dev/">a</a>',
    '<b><i>a</i></b><i>a</i>',
    '<i><s><b><i>Yes! No.</i> Or</b> so. Else.</s></i>',
  ])('produce no other marks next to their neighbours: %s', async (html) => {
    const shown = rendered(await markdownOf(`<p>Before, ${html} behind.</p>`));
    expect(lettersOf(shown)).toBe(lettersOf(`Before, ${html} behind.`));
  });

  it.each([
    ['<b>PRAGMA </b><i>schema.</i><b>auto_vacuum;</b>', ['PRAGMA', 'auto_vacuum;'], ['schema.']],
    ['<b>PRAGMA limit = </b><i>N</i><b>;</b>', ['PRAGMA limit =', ';'], ['N']],
    ["<b>PRAGMA dir = '</b><i>name</i><b>';</b>", ["PRAGMA dir = '", "';"], ['name']],
    ['<b>f(</b><i>x</i><b>, </b><i>y</i><b>)</b>', ['f(', ',', ')'], ['x', 'y']],
    ['<i>a</i><b>b</b><i>c</i>', ['b'], ['a', 'c']],
    ['<b>one <i>two</i> three</b>', ['one two three'], ['two']],
    ['<b><i>both</i></b>', ['both'], ['both']],
    ['<i>"quoted"</i>, and <b>(bracketed)</b>', ['(bracketed)'], ['"quoted"']],
    ['<b>a</b><s>b</s>', ['a'], []],
  ])('touch and nest: %s', async (html, strong, em) => {
    const shown = rendered(await markdownOf(`<p>Before, ${html} behind.</p>`));
    expect(emphasisOf(shown, 'strong')).toEqual(strong);
    expect(emphasisOf(shown, 'em')).toEqual(em);
  });

  it.each([
    ['<s>50%</s>40%', '~~50%~~ 40%'],
    ['Price<s>€50</s> €40', 'Price ~~€50~~ €40'],
    ['<s>Sold!</s>Now', '~~Sold!~~\nNow'],
    ['a<s>(b)</s>c', 'a ~~(b)~~ c'],
    ['閉<s>まる。</s>来る', '閉~~まる。~~ 来る'],
    ['<s>50%</s>, 40%', '~~50%~~, 40%'],
    ['<s>50</s>40', '~~50~~40'],
  ])('are set apart if struck-out text would lose its marks: %s', async (html, markdown) => {
    expect(await markdownOf(`<p>${html}</p>`)).toBe(markdown);
  });

  it('are parsed in linear time', async () => {
    const html = '<b>a</b><i>b</i>(<b>'.repeat(1_500);
    expect((await markdownOf(`<p>Text ${html}</p>`)).length).toBeGreaterThan(3_000);
  });
});
