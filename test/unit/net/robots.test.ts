import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ROBOTS_BYTES_MAX, ROBOTS_LINE_BYTES_MAX, ROBOTS_COMPARISONS_MAX } from '#net/limits.ts';
import { decideRobots } from '#net/robots/robots.ts';

const encoder = new TextEncoder();

function allowed(file: string | Uint8Array, path: string, token = 'Periscope'): boolean {
  return decideRobots(typeof file === 'string' ? encoder.encode(file) : file, token, path).allowed;
}

/** A group for us with these rules. */
function ours(...rules: string[]): string {
  return ['User-agent: periscope', ...rules].join('\n');
}

describe('the groups of robots.txt', () => {
  it('apply the rules for this crawler if there are any, and otherwise those for everyone', () => {
    const file = 'user-agent: *\ndisallow: /\n\nuser-agent: Periscope\ndisallow: /private\n';
    expect(allowed(file, '/open')).toBe(true);
    expect(allowed(file, '/private/x')).toBe(false);
    expect(allowed(file, '/open', 'Other')).toBe(false);
  });

  it('are merged when several name this crawler, anywhere in the file', () => {
    const file =
      'user-agent: periscope\ndisallow: /a\nuser-agent: x\ndisallow: /\nuser-agent: PERISCOPE\ndisallow: /b\n';
    expect([allowed(file, '/a'), allowed(file, '/b'), allowed(file, '/c')]).toEqual([false, false, true]);
  });

  it('apply to all agents named before their first rule', () => {
    const file = 'user-agent: x\nuser-agent: periscope\n\ncrawl-delay: 3\nuser-agent: y\ndisallow: /a';
    expect(['x', 'y', 'Periscope'].map((token) => allowed(file, '/a', token))).toEqual([false, false, false]);
    expect(allowed(file, '/a', 'z')).toBe(true);
  });

  it('are neither opened nor closed by other lines', () => {
    expect(allowed('user-agent: periscope\nsitemap: https://e.com/s.xml\nuser-agent: x\ndisallow: /', '/a')).toBe(
      false,
    );
    expect(allowed('sitemap: /s\ndisallow: /\nuser-agent: periscope\nallow: /', '/a')).toBe(true);
  });

  it('are matched by the exact token, ignoring case, up to the first character that tokens cannot have', () => {
    for (const agent of ['PeriScope', 'periscope/2.1', 'periscope and friends', '  periscope\t']) {
      expect(allowed(`user-agent:${agent}\ndisallow: /`, '/a')).toBe(false);
    }
    for (const agent of ['peri', 'periscope-news', 'the periscope', '']) {
      expect(allowed(`user-agent: ${agent}\ndisallow: /`, '/a')).toBe(true);
    }
    expect(allowed('user-agent: 1\ndisallow: /', '/a', '')).toBe(true);
  });

  it('apply to everyone with a star that is alone or before a space', () => {
    expect(allowed('user-agent: *\ndisallow: /', '/a')).toBe(false);
    expect(allowed('user-agent: * and all\ndisallow: /', '/a')).toBe(false);
    expect(allowed('user-agent: *bot\ndisallow: /', '/a')).toBe(true);
  });

  it('allow everything if the group for this crawler has no rules, or empty ones', () => {
    expect(allowed('user-agent: *\ndisallow: /\nuser-agent: periscope', '/a')).toBe(true);
    expect(allowed('user-agent: *\ndisallow: /\nuser-agent: periscope\ndisallow:\n', '/a')).toBe(true);
    expect(allowed('disallow: /\n', '/a')).toBe(true);
    expect(allowed('', '/a')).toBe(true);
  });
});

describe('the rules of robots.txt', () => {
  it('are decided by the longest matching pattern, with ties going to allow, in any order', () => {
    expect(allowed(ours('disallow: /shop', 'allow: /shop/open'), '/shop/open/1')).toBe(true);
    expect(allowed(ours('allow: /shop/open', 'disallow: /shop/open/1'), '/shop/open/1')).toBe(false);
    expect(allowed(ours('disallow: /same', 'allow: /same'), '/same')).toBe(true);
    expect(allowed(ours('disallow: /*.php', 'allow: /a'), '/a.php')).toBe(false);
  });

  it('match prefixes with case, including the query', () => {
    expect(allowed(ours('disallow: /Docs'), '/docs')).toBe(true);
    expect(allowed(ours('disallow: /docs?print'), '/docs?print=1')).toBe(false);
    expect(allowed(ours('disallow: docs'), '/docs')).toBe(true);
    expect(allowed(ours('disallow: *docs'), '/docs')).toBe(false);
  });

  it('treat a star as any bytes and only a final dollar as the end', () => {
    const rule = ours('disallow: /a/*/z$');
    expect([allowed(rule, '/a/b/z'), allowed(rule, '/a//z'), allowed(rule, '/a/z'), allowed(rule, '/a/b/z?q')]).toEqual(
      [false, false, true, true],
    );
    expect(allowed(ours('disallow: /a$b'), '/a$b/c')).toBe(false);
    expect(allowed(ours('disallow: /*a*a$'), '/aXa')).toBe(false);
    expect(allowed(ours('disallow: /*a*a$'), '/a')).toBe(true);
    expect(allowed(ours('disallow: /$'), '/')).toBe(false);
    expect(allowed(ours('disallow: $'), '/')).toBe(true);
    expect(allowed(ours('disallow: /**b'), '/ab')).toBe(false);
  });

  it('are matched after percent-encoding, ignoring the case of hex digits', () => {
    expect(allowed(ours('disallow: /Käse'), '/K%C3%A4se')).toBe(false);
    expect(allowed(ours('disallow: /k%c3%a4se'), '/k%C3%A4se')).toBe(false);
    expect(allowed(ours('disallow: /k%C3%A4se'), '/k%c3%a4se')).toBe(false);
    expect(allowed(ours('disallow: /%61'), '/a')).toBe(true);
    expect(allowed(ours('disallow: /100%'), '/100%')).toBe(false);
  });

  it('distinguish bytes that are not UTF-8 from others', () => {
    const latin = Uint8Array.from([...encoder.encode(ours('disallow: /caf')), 0xe9]);
    expect(allowed(latin, '/caf%E9')).toBe(false);
    expect(allowed(latin, '/caf%C3%A9')).toBe(true);
  });

  it('treat an allowed index page as its directory', () => {
    const rule = ours('disallow: /', 'allow: /docs/index.html');
    expect([allowed(rule, '/docs/'), allowed(rule, '/docs/index.html'), allowed(rule, '/docs/a')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('are reported by the one that decided', () => {
    expect(decideRobots(encoder.encode(ours('disallow: /ä*')), 'Periscope', '/%C3%A4')).toMatchObject({
      allowed: false,
      rule: 'disallow: /%C3%A4*',
    });
    expect(decideRobots(encoder.encode(ours('disallow: /b')), 'Periscope', '/a').rule).toBe(null);
  });
});

describe('the lines of robots.txt', () => {
  it('end with LF, CR or both, and the last needs no end', () => {
    for (const end of ['\n', '\r', '\r\n', '\n\r\n']) {
      expect(allowed(['user-agent: periscope', 'disallow: /a', 'disallow: /b'].join(end), '/b')).toBe(false);
    }
  });

  it('may have comments, odd spacing, and no colon between two words', () => {
    expect(allowed('user-agent: periscope # us\n\tDISALLOW\t:\t/a # all of it', '/a')).toBe(false);
    expect(allowed('user-agent periscope\ndisallow /a', '/a')).toBe(false);
    expect(allowed('user-agent periscope\ndisallow /a /b', '/a')).toBe(true);
    expect(allowed(ours('disallow: /a#b'), '/a')).toBe(false);
    expect(allowed(ours(': /a', '# disallow: /a', 'no-such: /a'), '/a')).toBe(true);
  });

  it('are recognised with common misspellings', () => {
    for (const key of ['dissallow', 'dissalow', 'disalow', 'diasllow', 'disallaw']) {
      expect(allowed(ours(`${key}: /a`), '/a')).toBe(false);
    }
    expect(allowed('useragent: periscope\ndisallow: /a', '/a')).toBe(false);
    expect(allowed('user agent: periscope\ndisallow: /a', '/a')).toBe(false);
  });

  it('may begin after a byte order mark, whole or damaged, but only at the very start', () => {
    const rule = encoder.encode(ours('disallow: /a'));
    const marked = (...mark: number[]) => Uint8Array.from([...mark, ...rule]);
    expect(allowed(marked(0xef, 0xbb, 0xbf), '/a')).toBe(false);
    expect(allowed(marked(0xef, 0xbb), '/a')).toBe(false);
    expect(allowed(marked(0xef), '/a')).toBe(false);
    expect(allowed(marked(0xef, 0xbf, 0xbd), '/a')).toBe(false);
    expect(allowed(marked(0xbb, 0xbf), '/a')).toBe(true);
    expect(allowed(marked(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf), '/a')).toBe(true);
    expect(allowed(ours('\ufeffdisallow: /a'), '/a')).toBe(true);
  });

  it('are cut at their limit, including the pattern', () => {
    const key = 'disallow: ';
    const kept = `/${'a'.repeat(ROBOTS_LINE_BYTES_MAX - key.length - 1)}`;
    expect(allowed(ours(`${key}${kept}bcd`), `${kept}xyz`)).toBe(false);
    expect(allowed(ours(`${key}${kept.slice(0, -1)}bcd`), `${kept.slice(0, -1)}xyz`)).toBe(true);
  });

  it('are ignored beyond the size limit', () => {
    const filler = '#'.repeat(ROBOTS_BYTES_MAX);
    expect(allowed(`${ours('disallow: /a')}\n${filler}`, '/a')).toBe(false);
    expect(allowed(`${filler}\n${ours('disallow: /a')}`, '/a')).toBe(true);
  });
});

describe('hostile robots.txt files', () => {
  it('never cause an exception', () => {
    const word = fc.constantFrom(
      'user-agent',
      'periscope',
      'disallow',
      'allow',
      ':',
      '/',
      '*',
      '$',
      '%',
      '\n',
      '\r',
      ' ',
      '#',
      'é',
    );
    const soup = fc.array(word, { maxLength: 60 }).map((words) => encoder.encode(words.join('')));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), soup), fc.string({ maxLength: 40 }), (file, path) => {
        expect(typeof decideRobots(file, 'Periscope', path).allowed).toBe('boolean');
      }),
      { numRuns: 1_000 },
    );
  });

  it('match like a plain reading of stars', () => {
    const char = fc.constantFrom('a', 'b', '/', '*', '$');
    const slow = (pattern: string, path: string): boolean => {
      const body = pattern.endsWith('$') ? pattern.slice(0, -1) : pattern;
      const source = body
        .split('*')
        .map((piece) => piece.replaceAll('$', '\\$'))
        .join('.*');
      return new RegExp(`^${source}${pattern.endsWith('$') ? '$' : ''}`).test(path);
    };
    fc.assert(
      fc.property(
        fc.array(char, { minLength: 1, maxLength: 9 }),
        fc.array(fc.constantFrom('a', 'b', '/', '$'), { maxLength: 9 }),
        (rule, tail) => {
          const path = `/${tail.join('')}`;
          expect(allowed(ours(`disallow: ${rule.join('')}`), path)).toBe(!slow(rule.join(''), path));
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it('take steps in proportion to their size, with or without stars', () => {
    const stars = 500;
    const rules = 200;
    const bomb = ours(...Array.from({ length: rules }, (_, index) => `disallow: /${'*a'.repeat(stars)}${index}`));
    const path = `/${'a'.repeat(2_000)}`;
    const { steps } = decideRobots(encoder.encode(bomb), 'Periscope', path);
    expect(steps).toBeLessThan(4 * rules * (path.length + 2 * stars));
    const long = ours(...Array.from({ length: 30 }, () => `disallow: *${'a'.repeat(4_000)}b`));
    expect(decideRobots(encoder.encode(long), 'Periscope', `/${'a'.repeat(8_000)}`).steps).toBeLessThan(30 * 13_000);
  });

  it('close the site when even that is too much', () => {
    const file = ours(...Array.from({ length: 30_000 }, () => 'disallow: *aab'));
    const verdict = decideRobots(encoder.encode(file), 'Periscope', `/${'a'.repeat(8_000)}`);
    expect(verdict.allowed).toBe(false);
    expect(verdict.steps).toBeLessThanOrEqual(ROBOTS_COMPARISONS_MAX + 1);
  });
});
