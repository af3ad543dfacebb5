import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addRule,
  allowEverything,
  moveRule,
  NO_SITE_RULES,
  parseSite,
  RULE_LEVELS,
  decideRule,
  ruleListSchema,
  formatSite,
} from '#core/site-rules.ts';
import type { RuleLevel, SiteRuleList, SiteRule, SiteRules } from '#core/site-rules.ts';

const list = (fallback: RuleLevel, ...rules: readonly (readonly [site: string, level: RuleLevel])[]): SiteRuleList => ({
  fallback,
  rules: rules.map(([site, level]) => {
    const parsed = parseSite(site);
    if (typeof parsed === 'string') throw new Error(parsed);
    return { ...parsed, level };
  }),
});
const own = (...lists: readonly SiteRuleList[]): SiteRules => ({ ...NO_SITE_RULES, people: lists });
const level = (rules: SiteRules, url: string) => decideRule(rules, url).level;

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

  it('is the stricter one when the path of the rule has capitals, encoded characters or parameters', () => {
    const rules = own(
      list('act', ['example.com/Admin', 'block'], ['example.com/my%20files', 'read'], ['example.com/Cart;id=1', 'ask']),
    );
    for (const path of ['/Admin', '/admin', '/ADMIN/users', '/admin;x=1'])
      expect(level(rules, `https://example.com${path}`)).toBe('block');
    for (const path of ['/my%20files', '/My%20files', '/my%2520files/a', '/MY%20FILES;x=1'])
      expect(level(rules, `https://example.com${path}`)).toBe('read');
    for (const path of ['/Cart;id=1', '/cart;id=1', '/Cart;ID=1/pay'])
      expect(level(rules, `https://example.com${path}`)).toBe('ask');
    expect(level(rules, 'https://example.com/administrator')).toBe('act');
  });

  it('is not the looser one when only a lenient reading of its path covers the page', () => {
    const rules = own(list('act', ['example.com/a;x', 'act'], ['example.com/a', 'block']));
    for (const path of ['/a', '/A', '/a;x', '/a;y']) expect(level(rules, `https://example.com${path}`)).toBe('block');
    const encoded = own(list('read', ['example.com/my%20files', 'act']));
    expect(level(encoded, 'https://example.com/My%20files')).toBe('read');
  });

  it('is the strictest among those of the owner and of every user of the session', () => {
    const owner = list('read', ['example.com', 'ask'], ['example.org', 'block']);
    const rules = { owner, people: [list('act'), list('act', ['example.com', 'read'])] };
    expect(decideRule(rules, 'https://example.com/')).toMatchObject({ level: 'read', by: 'person', isNamed: true });
    expect(decideRule(rules, 'https://example.org/')).toMatchObject({
      level: 'block',
      by: 'owner',
      site: 'example.org',
    });
    expect(decideRule(rules, 'https://example.net/')).toMatchObject({ level: 'read', by: 'owner', isNamed: false });
  });

  it('is the default for an address without a host', () => {
    const rules = own(list('read', ['example.com', 'act']));
    for (const url of ['', 'about:blank', 'data:text/html,x', 'not a url']) expect(level(rules, url)).toBe('read');
  });
});

describe('a list of rules that allows everything', () => {
  it('has neither a stricter rule nor a stricter default', () => {
    expect(allowEverything(NO_SITE_RULES)).toBe(true);
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
    for (const site of ['example.com', '*.example.com', 'example.com/a/b'])
      expect(formatSite(readSite(site))).toBe(site);
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
    expect(ruleListSchema.safeParse({ rules, fallback: 'act' }).success).toBe(false);
    expect(ruleListSchema.safeParse({ rules: rules.slice(1), fallback: 'act' }).success).toBe(true);
  });
});

describe('a new rule', () => {
  const added = (rules: readonly (readonly [site: string, level: RuleLevel])[], site: string, chosen: RuleLevel) =>
    addRule(list('act', ...rules).rules, { ...readSite(site), level: chosen })?.rules.map(formatSite);

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

  it('has its effect although a rule around it switched off a stricter rule within it', () => {
    expect(
      added(
        [
          ['a.example', 'act'],
          ['a.example/x/y', 'block'],
        ],
        'a.example/x',
        'read',
      ),
    ).toEqual(['a.example/x', 'a.example', 'a.example/x/y']);
    expect(
      added(
        [
          ['a.example', 'act'],
          ['a.example/x/y', 'block'],
        ],
        '*.a.example/x',
        'read',
      ),
    ).toEqual(['*.a.example/x', 'a.example', 'a.example/x/y']);
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

  it('replaces the rule for the same site with or without a slash at the end', () => {
    expect(added([['a.example/x/', 'block']], 'a.example/x', 'read')).toEqual(['a.example/x']);
    expect(added([['a.example/x', 'block']], 'a.example/x/', 'read')).toEqual(['a.example/x/']);
  });

  it('is placed below a stricter rule within it whose path has capitals', () => {
    expect(added([['a.example/Admin/x', 'block']], 'a.example/admin', 'act')).toEqual([
      'a.example/Admin/x',
      'a.example/admin',
    ]);
    expect(added([['a.example/Admin', 'read']], 'a.example/admin', 'act')).toEqual([
      'a.example/Admin',
      'a.example/admin',
    ]);
  });

  it('leaves looser rules switched off that the replaced rule had switched off', () => {
    const help = ['bank.example/help', 'act'] as const;
    for (const chosen of ['block', 'read', 'ask'] as const)
      expect(added([['bank.example', 'block'], help], 'bank.example', chosen)).toEqual(['bank.example', help[0]]);
    expect(added([['bank.example', 'block'], help, ['bank.example/pay', 'read']], 'bank.example', 'ask')).toEqual([
      'bank.example',
      help[0],
      'bank.example/pay',
    ]);
    expect(
      added(
        [
          ['a.example/x', 'read'],
          ['a.example', 'act'],
          ['a.example/x/y', 'block'],
        ],
        'a.example/x',
        'read',
      ),
    ).toEqual(['a.example/x', 'a.example', 'a.example/x/y']);
    const [looser, stricter] = [
      ['a.example', 'act'],
      ['*.b.example/x', 'block'],
    ] as const;
    expect(added([['*.example/x', 'block'], looser, stricter], '*.example/x', 'ask')).toEqual([
      '*.example/x',
      looser[0],
      stricter[0],
    ]);
  });
});

describe('a new rule in any list', () => {
  const sites = ['a.test', '*.a.test', 'b.a.test', '*.b.a.test'].flatMap((host) =>
    ['/', '/x', '/x/', '/x/y', '/x/y/z'].map((path) => ({ host, path })),
  );
  // Each site has a page here that only the site itself and wider sites cover.
  const pages = ['a.test', 'b.a.test', 'q.a.test', 'q.b.a.test', 'q.test'].flatMap((host) =>
    ['/', '/q', '/x', '/x/q', '/x/y', '/x/y/q', '/x/y/z'].map((path) => `https://${host}${path}`),
  );
  const aLevel = fc.constantFrom(...RULE_LEVELS);
  const aRule = fc
    .tuple(fc.constantFrom(...sites), aLevel)
    .map(([site, chosen]): SiteRule => ({ ...site, level: chosen }));
  const covers = (rule: SiteRule, page: string) =>
    level(own({ rules: [{ ...rule, level: 'block' }], fallback: 'act' }), page) === 'block';
  const isAround = (one: SiteRule, rule: SiteRule) => pages.every((page) => !covers(rule, page) || covers(one, page));
  const looseness = (one: RuleLevel) => RULE_LEVELS.indexOf(one);

  it('loosens only what wider rules decided, tightens all of it, and changes no page that it does not cover', () => {
    fc.assert(
      fc.property(fc.array(aRule, { maxLength: 7 }), aRule, aLevel, (rules, rule, fallback) => {
        const changed = addRule(rules, rule);
        expect(changed?.rules[changed.at]).toEqual(rule);
        for (const page of pages) {
          const before = level(own({ rules, fallback }), page);
          const after = level(own({ rules: changed?.rules ?? [], fallback }), page);
          const decided = rules.find((one) => covers(one, page));
          if (!covers(rule, page)) expect(after).toBe(before);
          else if (decided !== undefined && !isAround(decided, rule))
            expect(looseness(after)).toBeLessThanOrEqual(looseness(before));
          else if (after !== before) expect(looseness(after)).toBeLessThanOrEqual(looseness(rule.level));
          else expect(looseness(rule.level)).toBeGreaterThanOrEqual(looseness(before));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('loosens only what wider rules decided if paths differ in case', () => {
    const paths = ['/', '/x', '/X', '/x/y', '/X/y', '/x/Y', '/x/y/z', '/X/y/Z'];
    const sitesInAnyCase = ['a.test', '*.a.test'].flatMap((host) => paths.map((path) => ({ host, path })));
    const pagesInAnyCase = ['a.test', 'q.a.test'].flatMap((host) =>
      [...paths, '/X/Y', '/q', '/x/q', '/X/y/q'].map((path) => `https://${host}${path}`),
    );
    const anyRule = fc
      .tuple(fc.constantFrom(...sitesInAnyCase), aLevel)
      .map(([site, chosen]): SiteRule => ({ ...site, level: chosen }));
    fc.assert(
      fc.property(fc.array(anyRule, { maxLength: 5 }), anyRule, aLevel, (rules, rule, fallback) => {
        const changed = addRule(rules, rule)?.rules ?? [];
        const wider = rules.filter((one) => isAround(one, rule)).map((one) => one.level);
        for (const page of pagesInAnyCase) {
          const before = level(own({ rules, fallback }), page);
          const after = level(own({ rules: changed, fallback }), page);
          expect(looseness(after) <= looseness(before) || [fallback, ...wider].includes(before)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});
