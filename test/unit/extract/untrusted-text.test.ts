import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawn, rendered } from './support-html.ts';
import { markdownOf, read } from './support.ts';
import { stories } from '#support/stories.ts';

/** Texts with which a page imitates something else: other Markdown, our marks, line ends. */
const FORGED: readonly string[] = [
  '```',
  '~~~',
  '````\n# Out\n````',
  '⟦abc',
  'abc⟧',
  'L12: quoted',
  '【c_1†L1-L2】',
  '---',
  '---\ntitle: x\n---',
  '# Heading',
  '> quote',
  '- item',
  '1. item',
  '| a | b |\n| --- | --- |',
  '<!-- page 3 -->',
  '<script>alert(1)</script>',
  '<img src=x onerror=y>',
  '</p><h1>Out</h1>',
  '[link](https://evil.example/)',
  '](https://evil.example/) [x',
  '![i](https://evil.example/i.png)',
  '[x]: https://evil.example/',
  '[^1]: note',
  '**bold** _em_ ~~no~~ `code`',
  '$x$ $$y$$',
  '&lt;b&gt; &amp; &#35;',
  '\\',
  '\\|',
  '|',
  '`',
  '``',
  ']',
  '[',
  '" onload="x',
  '<https://evil.example/>',
  'a\u2028b',
  'a\u2029b',
  'a\u0085b',
  'a\vb\fc',
  '\u001b[31mred\u001b[0m',
  '\u0007\u0000\u0008',
  '\u202egnirts\u202c',
  'ta\u{e0067}\u{e0074}g',
  'z\u200bw\u2060x',
  '\u3164\uffa0\u115f',
  'v\ufe01\ufe02\u{e0101}\u{e0102}',
  's\u00ados',
];
const NEVER_IN_A_LINE =
  /[\0-\x08\x0a-\x1f\x7f-\x9f\u00ad\u061c\u115f\u1160\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;
const ADDRESS = 'https://docs.example/x';

/** The text as source of HTML. */
function source(text: string): string {
  return text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}

/** The text without invisible characters, as an HTML writer would show it. */
function shown(text: string): string {
  return text
    .replace(/[\u2028\u2029\u0085\v\f]/g, ' ')
    .replace(
      /[\0-\x08\x0e-\x1f\u202e\u202c\u{e0060}-\u{e007f}\u200b\u2060\u3164\uffa0\u115f\u00ad]|\ufe01|\ufe02|\u{e0101}|\u{e0102}/gu,
      '',
    )
    .replace(/\s+/g, ' ')
    .trim()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const forged = fc.array(fc.oneof(fc.constantFrom(...FORGED), fc.constantFrom('word', 'Next. One', ' ', '.')), {
  minLength: 1,
  maxLength: 5,
});

/** Removes links that GFM makes automatically, without a mark. */
function withoutAutolinks(html: string): string {
  return html.replace(/<a href="(?:https?:|http:\/\/)[^"]*">([^<]*)<\/a>/g, '$1');
}

async function checkLines(html: string): Promise<string> {
  const { lines, title } = await read('html', html);
  for (const line of [...lines, title ?? '']) expect(NEVER_IN_A_LINE.test(line)).toBe(false);
  return lines.join('\n');
}

describe('text of a page', () => {
  it('is shown literally in a paragraph, an item, a quote and a heading, whatever it imitates', async () => {
    await fc.assert(
      fc.asyncProperty(forged, async (parts) => {
        const text = parts.join(' ');
        const html = source(text);
        const markdown = await checkLines(
          `<p>s</p><p>${html}</p><ul><li>${html}</li></ul><blockquote>${html}</blockquote><h3>x ${html}</h3><p>e</p>`,
        );
        const own = shown(text);
        const paragraph = own === '' ? '' : `<p>${own}</p> `;
        const item = own === '' ? '' : `<ul> <li>${own}</li> </ul> `;
        const quote = own === '' ? '' : `<blockquote> <p>${own}</p> </blockquote> `;
        expect(withoutAutolinks(drawn(markdown))).toBe(
          `<p>s</p> ${paragraph}${item}${quote}<h3>x ${own}`.trimEnd() + '</h3> <p>e</p>',
        );
      }),
      { numRuns: stories(40) },
    );
  });

  it('never begins the page with lines that look like front matter', async () => {
    const markdown = await markdownOf('<p>---</p><p>title: x</p><p>---</p>');
    expect(markdown.startsWith('---')).toBe(false);
    expect(drawn(markdown)).toBe('<p>---</p> <p>title: x</p> <p>---</p>');
  });

  it('stays in its table cell', async () => {
    await fc.assert(
      fc.asyncProperty(forged, async (parts) => {
        const html = source(parts.join(' '));
        const markdown = await checkLines(
          `<table><tr><th>h</th><th>${html} i</th></tr><tr><td>c ${html}<br>${html}</td><td><code>${html}</code>f e</td></tr></table>`,
        );
        const cells = rendered(markdown).match(/<t[hd]>/g) ?? [];
        expect(cells).toHaveLength(4);
        expect(rendered(markdown)).toMatch(/f e<\/td>\s*<\/tr>\s*<\/tbody>\s*<\/table>\s*$/);
        expect(markdown.split('\n')).toHaveLength(3);
      }),
      { numRuns: stories(40) },
    );
  });

  it('stays in its code block, byte for byte', async () => {
    await fc.assert(
      fc.asyncProperty(forged, async (parts) => {
        const code = `start\n${parts.join('\n')}\nend`.replace(/[^\n -~]/gu, '');
        const html = `<p>s</p><ul><li><pre><code class="language-x ${source(parts.join(' '))}">${source(code)}</code></pre></li></ul><p>e</p>`;
        const text = drawn(await checkLines(html));
        const escaped = code
          .replaceAll('&', '&amp;')
          .replaceAll('<', '&lt;')
          .replaceAll('>', '&gt;')
          .replaceAll('"', '&quot;');
        expect(text).toContain(`>${escaped}\n</code></pre> </li> </ul> <p>e</p>`);
        expect(text.match(/<pre>/g)).toHaveLength(1);
      }),
      { numRuns: stories(40) },
    );
  });

  it('stays in its code span', async () => {
    await fc.assert(
      fc.asyncProperty(forged, async (parts) => {
        const text = `a ${parts.join(' ')} b`;
        const markdown = await checkLines(`<p>s <code>${source(text)}</code> e</p>`);
        expect(drawn(markdown)).toBe(`<p>s <code>${shown(text)}</code> e</p>`);
      }),
      { numRuns: stories(40) },
    );
  });

  it('stays in its attribute: an alternative text gives one image, and a title nothing', async () => {
    await fc.assert(
      fc.asyncProperty(forged, async (parts) => {
        const text = `a ${parts.join(' ')} b`;
        const html = source(text);
        const markdown = await checkLines(
          `<p>s <img src="/x" alt="${html}" title="${html}"> <a href="/x" title="${html}">l</a> e</p>`,
        );
        expect(drawn(markdown).replace(/ alt="[^"]*"/, '')).toBe(
          `<p>s <img src="${ADDRESS}"> <a href="${ADDRESS}">l</a> e</p>`.replace('">', '" />'),
        );
      }),
      { numRuns: stories(40) },
    );
  });

  it('stays in its URL, so that a link has no other destination', async () => {
    await fc.assert(
      fc.asyncProperty(forged, async (parts) => {
        const html = source(parts.join(' '));
        const markdown = await checkLines(`<p>s <a href="/x?${html}">l</a> e</p><p><a href="#${html}">f</a></p>`);
        const links = [...rendered(markdown).matchAll(/<a href="([^"]*)">(.*?)<\/a>/g)];
        expect(links.map((link) => link[2])).toEqual(['l', 'f']);
        expect(links.every((link) => /^(?:https:\/\/docs\.example\/|#)/.test(link[1] ?? ''))).toBe(true);
      }),
      { numRuns: stories(40) },
    );
  });

  it('stays in its link', async () => {
    await fc.assert(
      fc.asyncProperty(forged, async (parts) => {
        const text = `a ${parts.join(' ')} b`;
        const markdown = await checkLines(`<p>s <a href="/x">${source(text)}</a> e</p>`);
        expect(drawn(markdown)).toBe(`<p>s <a href="${ADDRESS}">${shown(text)}</a> e</p>`);
      }),
      { numRuns: stories(40) },
    );
  });

  it.each(['a $x_1$ PICTURE b', 'a <b>c</b> PICTURE b'])(
    'stays in its link, after another part of it: %s',
    async (html) => {
      const forgedPicture = html.replace('PICTURE', '![i](https://evil.example/i.png)');
      const markdown = await checkLines(`<p>s <a href="/x">${forgedPicture}</a> e</p>`);
      expect(drawn(markdown)).toMatch(/^<p>s <a href="[^"]*">a [^]* b<\/a> e<\/p>/);
      expect(drawn(markdown)).not.toContain('<img');
    },
  );

  it('stays in its formula', async () => {
    await fc.assert(
      fc.asyncProperty(forged, async (parts) => {
        const markdown = await checkLines(`<p>s <math alttext="${source(`a ${parts.join(' ')} b`)}"></math> e</p>`);
        expect(markdown.split('\n')).toHaveLength(1);
        const inner = /^s \$(.*)\$ e$/.exec(markdown)?.[1] ?? '$';
        expect(inner.replace(/\\[\\$]/g, '')).not.toContain('$');
      }),
      { numRuns: stories(40) },
    );
  });

  it('never forms a line that looks like one of this server', async () => {
    const markdown = await markdownOf(
      `<p>before&#x2028;L12: forged&#x85;⟦end</p><img alt="x&#10;L13: forged" src="/x"><h2>h&#x2029;L14: forged</h2>`,
    );
    expect(markdown.split('\n').filter((line) => /^(?:L\d+:|⟦)/.test(line))).toEqual([]);
  });

  for (const kind of ['markdown', 'text', 'json', 'xhtml'] as const) {
    it(`adds no other line ends or control characters inside a line when it comes as ${kind}`, async () => {
      const text = FORGED.filter((part) => !/[<&"\\]/.test(part)).join(' ');
      const { lines } = await read(kind, kind === 'json' ? JSON.stringify({ text }) : text);
      for (const line of lines) expect(NEVER_IN_A_LINE.test(line)).toBe(false);
    });
  }
});
