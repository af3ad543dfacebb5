import { describe, expect, it } from 'vitest';
import { listWebLinks, markdownTwinUrl } from '#reading/open/markdown-twin.ts';
import { isScriptShell } from '#reading/open/extract-page.ts';
import { divideFairly } from '#reading/open/open-batch.ts';
import fc from 'fast-check';

describe('listWebLinks', () => {
  it('lists links once, in order, without images, code or other schemes', () => {
    const lines = [
      'See [one](https://a.dev/1) and [two](https://a.dev/2 "Title") and ![pic](https://a.dev/p.png).',
      '- [again](https://a.dev/1), [mail](mailto:x@a.dev), [wiki](https://a.dev/A_(b))',
      '```md',
      '[in code](https://a.dev/code)',
      '```',
      String.raw`[a \[b\] c](https://a.dev/3)`,
    ];
    expect(listWebLinks(lines)).toEqual([
      { url: 'https://a.dev/1', text: 'one' },
      { url: 'https://a.dev/2', text: 'two' },
      { url: 'https://a.dev/A_(b)', text: 'wiki' },
      { url: 'https://a.dev/3', text: 'a [b] c' },
    ]);
  });

  it('stays linear on lines made of brackets', () => {
    const hostile = `${'['.repeat(50_000)}](${'('.repeat(50_000)}`;
    expect(listWebLinks([hostile, '[x](https://a.dev/)'])).toEqual([{ url: 'https://a.dev/', text: 'x' }]);
  });
});

describe('isScriptShell', () => {
  it('distinguishes a page that scripts fill from a short page', () => {
    const shell = '<html><body><div id="root"></div><script src="/a.js"></script></body></html>';
    expect(isScriptShell(shell, '')).toBe(true);
    expect(isScriptShell(shell, 'word '.repeat(1_000))).toBe(false);
    expect(isScriptShell('<html><body><p>Hello.</p></body></html>', 'Hello.')).toBe(false);
    expect(isScriptShell('<body><p>Hello.</p><script>count()</script></body>', 'Hello.')).toBe(false);
    expect(
      isScriptShell(
        '<noscript>You need to enable JavaScript to run this app.</noscript><script></script>',
        'You need to enable JavaScript to run it.',
      ),
    ).toBe(true);
  });

  it.each([
    ['an element of any name', '<div id="container"></div><script src="/a.js"></script>', ''],
    ['an empty body', '<script>start()</script>', ''],
    ['a custom element beside a menu', '<nav>Home Boats</nav><my-app></my-app><script></script>', 'Home Boats'],
    [
      'an empty area below a menu of links',
      '<nav><a href="/a">Home</a></nav><div class="content"></div><script></script>',
      `${['Home', 'Ships', 'Fees'].map((name) => `- [${name}](https://harbour.example/${name.toLowerCase()}/start)`).join('\n')}\n© 2026`,
    ],
    ['a word that says it is loading', '<section><p>Loading…</p></section><script></script>', 'Loading…'],
    ['the same in another language', '<p>Wird geladen …</p><script></script>', 'Wird geladen …'],
  ])('finds a shell with %s', (_, html, text) => {
    expect(isScriptShell(html, text)).toBe(true);
  });
});

describe('isScriptShell of a page that only mentions shells', () => {
  const root = '<div id="root"></div><script src="/a.js"></script>';
  it.each([
    ['a comment', `<p>Short.</p><script></script><!-- ${root} -->`],
    ['an attribute', `<p title='${root}'>Short.</p><script></script>`],
    ['a script', `<p>Short.</p><script>const html = '<div id="root">';</script>`],
    ['a textarea', `<p>Short.</p><script></script><textarea>${root}</textarea>`],
    ['a comment with a note', '<script></script><!-- <noscript>You need to enable JavaScript</noscript> -->'],
  ])('is false for text in %s', (_, html) => {
    expect(isScriptShell(html, 'Short.')).toBe(false);
  });
});

describe('markdownTwinUrl', () => {
  const none = { llmsTxt: null, markdownPages: [] };

  it('uses the declaration of the page, only from its head and only for its own origin', () => {
    const link = (href: string) => `<head><link rel="alternate" type="text/markdown" href="${href}"></head>`;
    expect(markdownTwinUrl('https://a.dev/guide/', link('index.md'), none)).toBe('https://a.dev/guide/index.md');
    expect(markdownTwinUrl('https://a.dev/guide/', link('https://evil.dev/x.md'), none)).toBeNull();
    expect(markdownTwinUrl('https://a.dev/', `<body>${link('/x.md')}</body>`, none)).toBeNull();
    const styles = link('/x.md').replace('"alternate"', '"Alternate stylesheet"');
    expect(markdownTwinUrl('https://a.dev/', styles, none)).toBeNull();
  });

  it('uses the entry in llms.txt for the URL of the page, and never guesses', () => {
    const facts = {
      llmsTxt: 'https://a.dev/llms.txt',
      markdownPages: ['https://a.dev/guide/x.md', 'https://a.dev/start/index.html.md'],
    };
    expect(markdownTwinUrl('https://a.dev/guide/x', '', facts)).toBe('https://a.dev/guide/x.md');
    expect(markdownTwinUrl('https://a.dev/guide/x.html', '', facts)).toBe('https://a.dev/guide/x.md');
    expect(markdownTwinUrl('https://a.dev/start/', '', facts)).toBe('https://a.dev/start/index.html.md');
    expect(markdownTwinUrl('https://a.dev/other', '', facts)).toBeNull();
  });
});

describe('divideFairly', () => {
  it('never exceeds the budget or a need, and leaves nothing unused while a need is open', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(100_000), { minLength: 1, maxLength: 10 }), fc.nat(100_000), (needs, budget) => {
        const shares = divideFairly(needs, budget);
        const total = shares.reduce((a, b) => a + b, 0);
        expect(total).toBeLessThanOrEqual(budget);
        expect(shares.every((share, n) => share <= (needs[n] ?? 0))).toBe(true);
        const needed = needs.reduce((a, b) => a + b, 0);
        expect(total).toBeGreaterThanOrEqual(Math.min(needed, budget) - needs.length);
      }),
    );
    expect(divideFairly([10, 1000, 1000], 510)).toEqual([10, 250, 250]);
  });
});
