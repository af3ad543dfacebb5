import { describe, expect, it } from 'vitest';
import {
  addRule,
  allowEverything,
  moveRule,
  NO_RULES,
  parseSite,
  ruleFor,
  ruleList,
  siteText,
} from '#core/site-rules.ts';
import type { RuleLevel, RuleList, SiteRules } from '#core/site-rules.ts';

const list = (fallback: RuleLevel, ...rules: readonly (readonly [site: string, level: RuleLevel])[]): RuleList => ({
  fallback,
  rules: rules.map(([site, level]) => {
    const parsed = parseSite(site);
    if (typeof parsed === 'string') throw new Error(parsed);
    return { ...parsed, level };
  }),
});
const own = (...lists: readonly RuleList[]): SiteRules => ({ ...NO_RULES, people: lists });
const level = (rules: SiteRules, url: string) => ruleFor(rules, url).level;

describe('the rule for a page', () => {
  it('is the first that matches, and otherwise the default', () => {
    const rules = own(list('read', ['shop.example.com', 'act'], ['*.example.com', 'block'], ['example.org', 'act']));
    expect(level(rules, 'https://shop.example.com/cart')).toBe('act');
    expect(level(rules, 'https://example.com/')).toBe('block');
    expect(level(rules, 'https://a.b.example.com/')).toBe('block');
    expect(level(rules, 'https://notexample.com/')).toBe('read');
    expect(level(rules, 'https://www.example.org/')).toBe('read');
  });

  it('covers all ports, both schemes and every spelling of a host', () => {
    const rules = own(list('act', ['bücher.example', 'block'], ['127.0.0.1', 'read']));
    for (const url of [
      'http://bücher.example/',
      'https://BÜCHER.example./',
      'https://xn--bcher-kva.example:8443/a',
      'https://user:pass@bücher.example../',
    ])
      expect(level(rules, url)).toBe('block');
    for (const url of ['http://127.0.0.1:8080/', 'http://0x7f.1/', 'http://2130706433/'])
      expect(level(rules, url)).toBe('read');
  });

  it('covers a path and all paths below it, and no others', () => {
    const rules = own(list('act', ['example.com/admin', 'block'], ['example.com/a/', 'read']));
    for (const path of [
      '/admin',
      '/admin/',
      '/admin/users',
      '/admin?x=1',
      '/a/../admin',
      '/%61dmin',
      '//admin',
      '/x/%2e%2e/admin',
    ])
      expect(level(rules, `https://example.com${path}`)).toBe('block');
    expect(level(rules, 'https://example.com/administrator')).toBe('act');
    expect(level(rules, 'https://example.com/a')).toBe('read');
    expect(level(rules, 'https://example.com/ab')).toBe('act');
  });

  it('is the stricter one when servers may read a path in two ways', () => {
    const strict = own(list('act', ['example.com/admin', 'block']));
    for (const path of [
      '/Admin',
      '/%41dmin',
      '/admin;x=1',
      '/x%2f..%2fadmin',
      '/%2561dmin',
      '/admin%2fusers',
      String.raw`/a\..\admin`,
    ])
      expect(level(strict, `https://example.com${path}`)).toBe('block');
    const loose = own(list('read', ['example.com/app', 'act']));
    for (const path of ['/App', '/app%2f..%2fsettings', '/app/..;/settings', '/app/%252e%252e/settings'])
      expect(level(loose, `https://example.com${path}`)).toBe('read');
    expect(level(loose, 'https://example.com/app/%C3%A9?q=/../x')).toBe('act');
  });

  it('is the strictest among those of the owner and of every user of the session', () => {
    const owner = list('read', ['example.com', 'ask'], ['example.org', 'block']);
    const rules = { owner, people: [list('act'), list('act', ['example.com', 'read'])] };
    expect(ruleFor(rules, 'https://example.com/')).toMatchObject({ level: 'read', by: 'person', isNamed: true });
    expect(ruleFor(rules, 'https://example.org/')).toMatchObject({ level: 'block', by: 'owner', site: 'example.org' });
    expect(ruleFor(rules, 'https://example.net/')).toMatchObject({ level: 'read', by: 'owner', isNamed: false });
  });

  it('is the default for an address without a host', () => {
    const rules = own(list('read', ['example.com', 'act']));
    for (const url of ['', 'about:blank', 'data:text/html,x', 'not a url']) expect(level(rules, url)).toBe('read');
  });
});

describe('a list of rules that allows everything', () => {
  it('has neither a stricter rule nor a stricter default', () => {
    expect(allowEverything(NO_RULES)).toBe(true);
    expect(allowEverything(own(list('act', ['example.com', 'act'])))).toBe(true);
    expect(allowEverything(own(list('act', ['example.com', 'read'])))).toBe(false);
    expect(allowEverything({ owner: list('ask'), people: [] })).toBe(false);
  });
});

describe('a site that a user enters', () => {
  it('is a host, a domain with its subdomains, or a path', () => {
    expect(parseSite(' Example.COM ')).toEqual({ host: 'example.com', path: '/' });
    expect(parseSite('https://example.com/a//b/../c/')).toEqual({ host: 'example.com', path: '/a/c/' });
    expect(parseSite('*.bücher.example.')).toEqual({ host: '*.xn--bcher-kva.example', path: '/' });
    expect(parseSite('[::1]/x')).toEqual({ host: '[::1]', path: '/x' });
    expect(parseSite('localhost')).toEqual({ host: 'localhost', path: '/' });
  });

  it.for([
    '',
    '*',
    '*.',
    'a.*.example.com',
    'exa mple.com',
    'user@example.com',
    'example.com:8080',
    'example.com:443',
    'example.com/?a=1',
    'example.com/#a',
    '/only/a/path',
    '*.127.0.0.1',
    'ftp://example.com',
    'javascript:alert(1)',
    'a'.repeat(300),
    `example.com/${'a'.repeat(501)}`,
  ])('is invalid in any other form: %s', (text) => {
    expect(typeof parseSite(text)).toBe('string');
  });

  it('is shown as it is entered', () => {
    for (const site of ['example.com', '*.example.com', 'example.com/a/b']) expect(siteText(readSite(site))).toBe(site);
  });
});

function readSite(site: string) {
  const found = parseSite(site);
  if (typeof found === 'string') throw new Error(found);
  return found;
}

describe('the order of rules', () => {
  it('changes by one position at a time, and never beyond the ends', () => {
    const { rules } = list('act', ['a.example', 'read'], ['b.example', 'read'], ['c.example', 'read']);
    const order = (at: number, by: -1 | 1) =>
      moveRule(rules, at, by)
        .map(({ host }) => host[0])
        .join('');
    expect([order(0, 1), order(2, -1), order(0, -1), order(2, 1), order(7, 1)]).toEqual([
      'bac',
      'acb',
      'abc',
      'abc',
      'abc',
    ]);
  });

  it('has a maximum length', () => {
    const rules = Array.from({ length: 201 }, (_, at) => ({ host: `${at}.example`, path: '/', level: 'read' }));
    expect(ruleList.safeParse({ rules, fallback: 'act' }).success).toBe(false);
    expect(ruleList.safeParse({ rules: rules.slice(1), fallback: 'act' }).success).toBe(true);
  });
});

describe('a new rule', () => {
  const added = (rules: readonly (readonly [site: string, level: RuleLevel])[], site: string, chosen: RuleLevel) =>
    addRule(list('act', ...rules).rules, { ...readSite(site), level: chosen })?.rules.map(siteText);

  it('is placed below the rules within it and above the rules around it, whatever their levels', () => {
    const block = [['a.example/x', 'block']] as const;
    expect(added(block, 'a.example', 'read')).toEqual(['a.example/x', 'a.example']);
    expect(added([['a.example', 'read'], ...block], '*.example', 'act')).toEqual([
      'a.example',
      'a.example/x',
      '*.example',
    ]);
    expect(
      added(
        [
          ['a.example/x/y', 'act'],
          ['*.example', 'block'],
        ],
        'a.example',
        'read',
      ),
    ).toEqual(['a.example/x/y', 'a.example', '*.example']);
    expect(
      added(
        [
          ['*.b.example', 'act'],
          ['b.example', 'act'],
        ],
        '*.example',
        'block',
      ),
    ).toEqual(['*.b.example', 'b.example', '*.example']);
    expect(added([['a.example/xy', 'block']], 'a.example/x', 'act')).toEqual(['a.example/x', 'a.example/xy']);
  });

  it('is placed below a stricter rule that covers some of its pages, and above a laxer one', () => {
    expect(added([['*.example/x', 'block']], 'a.example', 'act')).toEqual(['*.example/x', 'a.example']);
    expect(added([['*.example/x', 'act']], 'a.example', 'block')).toEqual(['a.example', '*.example/x']);
  });

  it('weakens no stricter rule in a list whose order leaves no place for it', () => {
    const [wide, narrow] = [
      ['*.example', 'read'],
      ['a.example/x', 'block'],
    ] as const;
    expect(added([wide, narrow], 'a.example', 'act')).toEqual(['*.example', 'a.example/x', 'a.example']);
    expect(added([wide, ['a.example/x', 'act']], 'a.example', 'block')).toEqual([
      'a.example',
      '*.example',
      'a.example/x',
    ]);
  });

  it('replaces the rule for the same site', () => {
    expect(
      added(
        [
          ['a.example', 'read'],
          ['a.example/x', 'read'],
        ],
        'a.example',
        'act',
      ),
    ).toEqual(['a.example/x', 'a.example']);
  });
});
