import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runToEnd } from '#core/flow/turns.ts';
import { LinkResolver } from '#extract/html/markdown/urls.ts';
import { convertDomToMarkdown } from '#extract/html/markdown/to-markdown.ts';
import { parsePage } from '#extract/html/parse-page.ts';
import { splitCitableLines } from '#extract/lines/lines.ts';
import { drawn, rendered } from './support-html.ts';
import { stories } from '#support/stories.ts';

/** Markdown of a page before it is broken into lines. */
function written(html: string): string {
  const document = parsePage(html, false).document;
  return convertDomToMarkdown(document.body, new LinkResolver('https://docs.example/'), new Set()).markdown.join('\n');
}

const sentence = fc.constantFrom(
  'The kettle boils. ',
  'Is it hot? It is! ',
  'e.g. Dr. Tea said 3.5 km. Then ',
  '2. Not an item. ',
  'A stop. - A dash. # A hash. > A mark. ',
  'It ends. + plus ',
  'a | b. | --- | ',
  'See [x]: y. ',
  '=== and ---. ',
  'Wait… what? ',
  '100% of $5 and $6. ',
  '&lt;b&gt;. &amp;lt; ',
  '* star * and _under_. ',
  '~~~ and ``` ticks. ',
  'https://a.example/x_y. Then ',
  'back\\slash. \\ ',
  `long ${'word '.repeat(60)}end. `,
);
const inline: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: sentence },
  sentence.map((text) => `<b>${text}</b>`),
  sentence.map((text) => `<em>${text.trim()}</em>`),
  sentence.map((text) => `<a href="/x">${text}</a>`),
  sentence.map((text) => `<code>${text}</code>`),
  sentence.map((text) => `<del>${text.trim()}</del>`),
  fc.constantFrom(
    '<br>',
    '<img src="/i.png" alt="A. B. C.">',
    'x<sup>2</sup>. ',
    '<code>`a`. B</code>',
    '<b>a</b><b>b</b>',
  ),
);
const phrase = fc.array(inline, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
const block: fc.Arbitrary<string> = fc.oneof(
  phrase.map((text) => `<p>${text}</p>`),
  phrase.map((text) => `<h2>${text}</h2>`),
  fc.constantFrom('<hr>', '<pre>a. B\n\n```\n</pre>', '<p>one.<br>- two. Three.<br>1. four</p>'),
  fc
    .array(phrase, { minLength: 1, maxLength: 3 })
    .map((items) => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`),
  fc
    .tuple(fc.integer({ min: 0, max: 120 }), fc.array(phrase, { minLength: 1, maxLength: 3 }))
    .map(
      ([start, items]) => `<ol start="${start}">${items.map((item) => `<li>${item}<p>${item}</p></li>`).join('')}</ol>`,
    ),
  phrase.map((text) => `<blockquote><p>${text}</p><ul><li>${text}<ol><li>${text}</li></ol></li></ul></blockquote>`),
  phrase.map((text) => `<dl><dt>${text}</dt><dd>${text}</dd></dl>`),
  fc
    .tuple(phrase, phrase)
    .map(([a, b]) => `<table><tr><th>${a}</th><th>x</th></tr><tr><td>${b}</td><td>y</td></tr></table>`),
);
const page = fc.array(block, { minLength: 1, maxLength: 6 }).map((blocks) => blocks.join('\n'));

describe('citable lines', () => {
  it('give the same Markdown when joined as before they were broken', () => {
    fc.assert(
      fc.property(page, (html) => {
        const whole = written(html);
        // Struck-out text is closed and opened again between two lines.
        const shown = (markdown: string) => drawn(markdown).replace(/<\/del>\s+<del>/g, ' ');
        expect(shown(runToEnd(splitCitableLines(whole.split('\n'))).lines.join('\n'))).toBe(shown(whole));
      }),
      { numRuns: stories(40) },
    );
  });
});

describe('the Markdown of a page', () => {
  it('shows each block of the page as that block, and its text unchanged', () => {
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1, maxLength: 6 }), (parts) => {
        const text = parts.join('');
        const html = rendered(written(`<p>${text}</p><ul><li>${text}</li></ul><h3>${text}</h3>`));
        const plain = html.replace(/<a href="https?:[^"]*">|<\/a>/g, '').replace(/\s+/g, ' ');
        const shown = text.replace(/\s+/g, ' ').trim().replaceAll('>', '&gt;');
        expect(plain.trim()).toBe(`<p>${shown}</p> <ul> <li>${shown}</li> </ul> <h3>${shown}</h3>`);
      }),
      { numRuns: stories(40) },
    );
  });

  it('keeps strong, emphasised and struck text, links and code separate when they touch', () => {
    const draws = (html: string) => rendered(written(`<p>${html}</p>`)).replace(/^<p>|<\/p>$/g, '');
    expect(draws('<b>one</b><b>two</b>')).toBe('<strong>onetwo</strong>');
    expect(draws('<i>three</i><b>four</b>')).toBe('<em>three</em><strong>four</strong>');
    expect(draws('<b>four</b><i>three</i>')).toBe('<strong>four</strong><em>three</em>');
    expect(draws('<code>one</code><code>two</code>')).toBe('<code>onetwo</code>');
    expect(draws('<code>a</code><a href="https://x.example/"><code>b</code></a>')).toBe(
      '<code>a</code><a href="https://x.example/"><code>b</code></a>',
    );
    expect(draws('<b>a</b>\\<i>b</i>!<a href="https://x.example/">c</a>')).toBe(
      '<strong>a</strong>\\<em>b</em>!<a href="https://x.example/">c</a>',
    );
  });
});
