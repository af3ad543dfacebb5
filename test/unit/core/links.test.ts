import { describe, expect, it } from 'vitest';
import { createUrlShortener, withRelativeLinks } from '#core/text/links.ts';

const PAGE = 'https://docs.acme.dev/kettle/a.html?v=2#top';

describe('an address relative to its page', () => {
  it.each([
    ['https://docs.acme.dev/kettle/node408.html#x', 'node408.html#x'],
    ['https://docs.acme.dev/kettle/deep/b.html', 'deep/b.html'],
    ['https://docs.acme.dev/kettle/a.html?v=2#lid', '#lid'],
    ['https://docs.acme.dev/kettle/', '/kettle/'],
    ['https://docs.acme.dev/tea/', '/tea/'],
    ['https://docs.acme.dev/kettle/mailto:x', '/kettle/mailto:x'],
    ['https://docs.acme.dev/kettle//b', '/kettle//b'],
    ['https://docs.acme.dev//evil.dev/', 'https://docs.acme.dev//evil.dev/'],
    ['https://docs.acme.dev.evil.dev/x', 'https://docs.acme.dev.evil.dev/x'],
    ['http://docs.acme.dev/kettle/b', 'http://docs.acme.dev/kettle/b'],
    ['mailto:a@acme.dev', 'mailto:a@acme.dev'],
  ])('is shortened: %s is %s', (address, short) => {
    expect(createUrlShortener(PAGE)(address)).toBe(short);
    expect(new URL(short, PAGE).href).toBe(new URL(address).href);
  });

  it('stays whole on a page without a web address', () => {
    expect(createUrlShortener('periscope:results')('https://a.dev/x')).toBe('https://a.dev/x');
    expect(createUrlShortener('not an address')('https://a.dev/x')).toBe('https://a.dev/x');
  });
});

describe('lines with relative links', () => {
  it('shorten the addresses of links and images, and leave code unchanged', () => {
    const lines = [
      '- [![\\[\\*\\]](https://docs.acme.dev/kettle/x.png)](https://docs.acme.dev/kettle/b.html),[c](https://docs.acme.dev/kettle/c.html "C")',
      'Write `[a](https://docs.acme.dev/kettle/b.html)` or [b](https://docs.acme.dev/kettle/a_(b).html).',
      '```',
      '[a](https://docs.acme.dev/kettle/b.html)',
      '```md',
    ];
    const [items, prose, , code] = withRelativeLinks(
      [...lines.slice(0, 2), '```md', ...lines.slice(3, 4), '```'],
      PAGE,
    );
    expect(items).toBe('- [![\\[\\*\\]](x.png)](b.html),[c](c.html "C")');
    expect(prose).toBe('Write `[a](https://docs.acme.dev/kettle/b.html)` or [b](a_(b).html).');
    expect(code).toBe(lines[3]);
  });

  it('leave a line unchanged that may end a code block', () => {
    const lines = ['[a](https://docs.acme.dev/kettle/b.html)', '```', 'See [a](https://docs.acme.dev/kettle/b.html).'];
    expect(withRelativeLinks(lines, PAGE)).toEqual([lines[0], '```', 'See [a](b.html).']);
  });
});
