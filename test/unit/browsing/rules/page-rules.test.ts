import { describe, expect, it } from 'vitest';
import { PageRules } from '#browsing/rules/page-rules.ts';
import type { CallEffect, RuledTab } from '#browsing/rules/page-rules.ts';
import { createSiteRulesCheck } from '#browsing/rules/rules-check.ts';
import type { RequestToApprove } from '#browsing/rules/rules-check.ts';
import { describeFailure } from '#core/failures/describe-failure.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { NO_SITE_RULES } from '#core/site-rules.ts';
import type { RuleLevel, SiteRule } from '#core/site-rules.ts';

type Frames = readonly (readonly [id: string, parent: string | null, url: string, origin?: string])[];

function tabOf(frames: Frames, openedBy: readonly string[] = [], targetId = 'main'): RuledTab {
  const all = frames.map(([id, parentId, url]) => ({ id, parentId, url }));
  const main = all[0] ?? { id: 'main', parentId: null, url: '' };
  return {
    targetId,
    openedBy,
    main: () => main,
    frame: (id) => all.find((one) => one.id === id) ?? null,
    frames: () => all,
    originOf: (id) => frames.find(([one]) => one === id)?.[3] ?? null,
  };
}

function rulesWith(fallback: RuleLevel, hosts: Readonly<Record<string, RuleLevel>>, now = () => 0): PageRules {
  const rules = new PageRules(now);
  const list = { fallback, rules: Object.entries(hosts).map(([host, level]) => ({ host, path: '/', level })) };
  rules.set({ ...NO_SITE_RULES, people: [list] });
  return rules;
}

const LEVELS = {
  'act.example': 'act',
  'ask.example': 'ask',
  'read.example': 'read',
  'block.example': 'block',
} as const;
const page = (host: string) => tabOf([['main', null, `https://${host}/`]]);

describe('the permission for a call', () => {
  const may = (host: string) =>
    (['none', 'leave', 'look', 'pointer', 'act', 'script'] satisfies CallEffect[])
      .filter((effect) => rulesWith('act', LEVELS).allows(page(host), effect))
      .join(' ');

  it('depends on the level of the page', () => {
    expect(may('act.example')).toBe('none leave look pointer act script');
    expect(may('ask.example')).toBe('none leave look pointer act');
    expect(may('read.example')).toBe('none leave look pointer');
    expect(may('block.example')).toBe('none leave');
  });

  it('is denied while the rules are not known', () => {
    const rules = new PageRules();
    rules.set(null);
    expect(rules.allows(page('act.example'), 'look')).toBe(false);
    expect(() => rules.checkOpening('https://act.example/')).toThrow(PeriscopeError);
  });

  it('is reported with the site, the level and the person who set it', () => {
    const rules = new PageRules();
    rules.set({ owner: { fallback: 'read', rules: [] }, people: [] });
    try {
      rules.check(page('x.example'), null, 'act');
      expect.unreachable();
    } catch (error) {
      expect(error instanceof PeriscopeError && error.failure).toMatchObject({
        code: 'blocked_by_rule',
        site: 'x.example',
        level: 'read',
        by: 'owner',
      });
    }
  });
});

describe('the hosts without sockets', () => {
  it('are those where models may only look, and those that ask first if a browser cannot hold sockets', () => {
    const stopped = (stopsAsking: boolean) =>
      rulesWith('ask', LEVELS)
        .socketHosts(stopsAsking)
        ?.flatMap(({ hosts, isStopped }) => [
          ...hosts.flatMap(([host, isHostStopped]) => (isHostStopped ? host : [])),
          ...(isStopped ? ['*'] : []),
        ]);
    expect(stopped(false)).toEqual(['read.example', 'block.example']);
    expect(stopped(true)).toEqual(['ask.example', 'read.example', 'block.example', '*']);
    expect(new PageRules().socketHosts(true)).toBeNull();
  });
});

describe('the report of a refusal', () => {
  const report = (...rules: SiteRule[]) => {
    const own = new PageRules();
    own.set({ ...NO_SITE_RULES, people: [{ rules, fallback: 'act' }] });
    try {
      own.checkOpening('https://a.example/shop/cart');
    } catch (error) {
      if (error instanceof PeriscopeError) return JSON.stringify(describeFailure(error.failure));
    }
    return expect.unreachable();
  };

  it('names the site of the rule, and asks for another page or site if it has a path', () => {
    const path = report({ host: 'a.example', path: '/shop', level: 'block' });
    expect(path).toContain('A rule of the user blocks a.example/shop for models.');
    expect(path).toContain('Use another page or site.');
    const domain = report({ host: '*.example', path: '/', level: 'block' });
    expect(domain).toContain('A rule of the user blocks *.example for models.');
    expect(domain).toContain('Use another site.');
  });
});

describe('the level of a place', () => {
  const at = (rules: PageRules, tab: RuledTab, id: string) => rules.at(tab, tab.frame(id) ?? tab.main()).level;

  it('is the strictest of the frame, the frames around it and the page', () => {
    const rules = rulesWith('act', LEVELS);
    const tab = tabOf([
      ['main', null, 'https://act.example/'],
      ['a', 'main', 'https://read.example/'],
      ['b', 'a', 'https://act.example/'],
      ['c', 'main', 'about:srcdoc', 'https://act.example'],
      ['d', 'main', 'data:text/html,x', '://'],
    ]);
    expect(['main', 'a', 'b', 'c', 'd'].map((id) => at(rules, tab, id))).toEqual(['act', 'read', 'read', 'act', 'act']);
    expect(rules.inTab(tab).level).toBe('read');
    expect(rules.isBlocked(tab)).toBe(false);
  });

  it('is that of the surrounding page for a frame without an address, whatever the default', () => {
    const rules = rulesWith('read', LEVELS);
    const tab = tabOf([
      ['main', null, 'https://act.example/a'],
      ['a', 'main', 'about:blank', 'https://act.example'],
      ['b', 'main', 'blob:https://act.example/1'],
      ['c', 'main', 'about:blank', 'https://other.example'],
    ]);
    expect(['a', 'b', 'c'].map((id) => at(rules, tab, id))).toEqual(['act', 'act', 'read']);
  });

  it('is that of the opener for a window without an address', () => {
    const rules = rulesWith('act', LEVELS);
    const level = (url: string, openedBy: readonly string[], origin?: string) =>
      rules.at(tabOf([origin === undefined ? ['main', null, url] : ['main', null, url, origin]], openedBy)).level;
    expect(level('about:blank', ['https://read.example/x'])).toBe('read');
    expect(level('', ['https://act.example/', 'https://read.example/'])).toBe('read');
    expect(level('blob:https://read.example/1', [])).toBe('read');
    expect(level('about:blank', [], 'https://read.example')).toBe('read');
    expect(level('https://act.example/', ['https://read.example/'])).toBe('act');
    expect(level('about:blank', [])).toBe('act');
  });

  it('ignores a document that did not load', () => {
    const [main, inner] = [
      { id: 'main', parentId: null, url: 'https://act.example/' },
      { id: 'a', parentId: 'main', url: 'https://block.example/', isError: true as const },
    ];
    const tab = { ...tabOf([]), main: () => main, frame: () => inner, frames: () => [main, inner] };
    expect(rulesWith('act', LEVELS).inTab(tab).level).toBe('act');
    const failed = { ...main, url: 'https://block.example/', isError: true as const };
    expect(rulesWith('act', LEVELS).isBlocked({ ...tab, main: () => failed, frames: () => [failed] })).toBe(false);
  });

  it('blocks a tab that shows a blocked site in a frame', () => {
    const tab = tabOf([
      ['main', null, 'https://act.example/'],
      ['a', 'main', 'https://block.example/'],
    ]);
    expect(rulesWith('act', LEVELS).allows(tab, 'look')).toBe(false);
  });
});

describe('requests of pages', () => {
  const send = { method: 'POST', resourceType: 'Fetch', frameId: 'main', at: 0 };
  const sent = (headers: Record<string, string> = {}) => ({ headers, hasPostData: true, postData: 'a=1' });
  const tabs = (all: readonly RuledTab[], isDriving = false) => ({
    all: () => all,
    ofFrame: (id: string) => all.find((tab) => tab.frame(id) !== null) ?? null,
    driver: { isDriving },
  });

  it('pass until a model acts, and while a person drives', async () => {
    const rules = rulesWith('act', LEVELS);
    const tab = page('read.example');
    const post = { ...send, url: 'https://read.example/x' };
    expect(await createSiteRulesCheck(rules, tabs([tab]))(post, sent())).toBeNull();
    rules.noteAct(tab);
    expect(await createSiteRulesCheck(rules, tabs([tab]))(post, sent())).toMatchObject({ rule: { level: 'read' } });
    expect(await createSiteRulesCheck(rules, tabs([tab], true))(post, sent())).toBeNull();
    rules.forgetActs([tab]);
    expect(await createSiteRulesCheck(rules, tabs([tab]))(post, sent())).toBeNull();
  });

  it('from a window that a page opened count as the page’s own', async () => {
    const rules = rulesWith('act', LEVELS);
    const opener = page('read.example');
    const opened = tabOf([['w', null, '']], ['https://read.example/'], 'w');
    rules.noteAct(opener);
    const check = createSiteRulesCheck(rules, tabs([opener, opened]));
    const form = { ...send, frameId: 'w', resourceType: 'Document', url: 'https://act.example/x' };
    expect(await check(form, sent())).toMatchObject({ rule: { level: 'read' } });
  });

  it('from an unknown sender get the rules of the strictest tab', async () => {
    const rules = rulesWith('act', LEVELS);
    const all = [tabOf([['one', null, 'https://act.example/']]), tabOf([['two', null, 'https://read.example/']])];
    for (const tab of all) rules.noteAct(tab);
    const post = { ...send, frameId: '', url: 'https://act.example/x' };
    expect(await createSiteRulesCheck(rules, tabs(all))(post, sent())).not.toBeNull();
  });

  it('to a site that a rule names are bound by it; a default binds only documents', async () => {
    const rules = rulesWith('read', LEVELS);
    const tab = page('act.example');
    rules.noteAct(tab);
    const check = createSiteRulesCheck(rules, tabs([tab]));
    expect(await check({ ...send, url: 'https://read.example/x' }, sent())).not.toBeNull();
    expect(await check({ ...send, url: 'https://api.example.net/x' }, sent())).toBeNull();
    expect(await check({ ...send, resourceType: 'Document', url: 'https://pay.example.net/x' }, sent())).not.toBeNull();
    expect(
      await check({ ...send, method: 'GET', resourceType: 'Document', url: 'https://block.example/' }, sent()),
    ).toMatchObject({
      rule: { level: 'block' },
    });
  });

  it('are bound by the page that they name', async () => {
    const rules = rulesWith('act', LEVELS);
    const tab = page('act.example');
    rules.noteAct(tab);
    const post = { ...send, resourceType: 'Document', url: 'https://act.example/x' };
    const check = createSiteRulesCheck(rules, tabs([tab]));
    expect(await check(post, sent({ Origin: 'https://read.example' }))).not.toBeNull();
    expect(await check(post, sent({ Referer: 'https://read.example/a' }))).not.toBeNull();
    expect(await check(post, sent({ Origin: 'null' }))).toBeNull();
  });

  it('count as effects for five seconds, and longer while an act opens a document', () => {
    let at = 0;
    const rules = rulesWith('ask', {}, () => at);
    const tab = page('ask.example');
    expect(rules.effectsLeftMs(tab)).toBe(0);
    rules.noteAct(tab);
    at = 4_000;
    expect(rules.effectsLeftMs(tab)).toBe(1_001);
    rules.noteOpening(tab);
    at = 20_000;
    expect(rules.effectsLeftMs(tab)).toBe(5_000);
    rules.noteOpened(tab);
    at = 24_000;
    expect(rules.effectsLeftMs(tab)).toBe(1_001);
    rules.noteAct(tab);
    rules.noteOpening(tab);
    at = 60_000;
    expect(rules.effectsLeftMs(tab)).toBe(0);
  });

  it('of a page where the person is asked wait for the answer', async () => {
    const rules = rulesWith('act', LEVELS);
    const tab = page('ask.example');
    rules.noteAct(tab);
    const held: RequestToApprove<RuledTab>[] = [];
    const post = { ...send, url: 'https://ask.example/x' };
    const check = (answer: string | null) =>
      createSiteRulesCheck(rules, tabs([tab]), () => ({
        hold: async (one) => {
          held.push(one);
          return answer;
        },
        noteSent: null,
      }))(post, sent({ 'content-type': 'application/x-www-form-urlencoded' }));
    expect(await check('the person said no')).toEqual({ reason: 'the person said no' });
    expect(await check(null)).toBeNull();
    expect(held).toMatchObject([{ tab, request: { body: 'a=1' } }, {}]);
    expect(await createSiteRulesCheck(rules, tabs([tab]))(post, sent())).toBeNull();
  });

  it('are held by the time at which the page sent them, and until five seconds after the end of a long act', async () => {
    let now = 0;
    const rules = rulesWith('act', LEVELS, () => now);
    const tab = page('ask.example');
    const check = (at: number) =>
      createSiteRulesCheck(rules, tabs([tab]), () => ({ hold: async () => 'held', noteSent: null }))(
        { ...send, at, url: 'https://other.example/x' },
        sent(),
      );
    rules.noteAct(tab);
    now = 9_000;
    expect(await check(4_000)).toEqual({ reason: 'held' });
    expect(await check(9_000)).toBeNull();
    await rules.duringAct(tab, async () => {
      now = 60_000;
      expect(await check(now)).toEqual({ reason: 'held' });
    });
    expect(await check(64_000)).toEqual({ reason: 'held' });
    expect(await check(66_000)).toBeNull();
    await rules.duringAct(tab, async () => rules.forgetActs([tab]));
    expect(await check(now)).toBeNull();
  });

  const asksAt = (rules: PageRules, all: readonly RuledTab[], more: Partial<typeof send & { url: string }> = {}) => {
    const check = createSiteRulesCheck(rules, tabs(all), () => ({ hold: async () => 'held', noteSent: null }));
    return (at: number) => check({ ...send, url: 'https://other.example/x', ...more, at }, sent());
  };

  it('of another tab of the same site are held soon after an act, and only then', async () => {
    const rules = rulesWith('act', LEVELS, () => 10_000);
    const [acting, told] = [page('ask.example'), tabOf([['told', null, 'https://ask.example/b']], [], 'told')];
    const elsewhere = tabOf([['else', null, 'https://act.example/']], [], 'else');
    const all = [acting, told, elsewhere];
    rules.noteAct(acting);
    const ofTold = asksAt(rules, all, { frameId: 'told' });
    expect(await ofTold(14_000)).toEqual({ reason: 'held' });
    expect(await ofTold(16_000)).toBeNull();
    expect(await asksAt(rules, all, { frameId: 'else' })(14_000)).toBeNull();
    rules.forgetActs(all);
    expect(await ofTold(14_000)).toBeNull();
  });

  it('of a document that an act opened are held from the time at which it has come', async () => {
    let now = 0;
    const rules = rulesWith('act', LEVELS, () => now);
    const tab = page('ask.example');
    const request = asksAt(rules, [tab]);
    rules.noteAct(tab);
    await asksAt(rules, [tab], { method: 'GET', resourceType: 'Document', url: 'https://ask.example/slow' })(1_000);
    now = 20_000;
    expect(await request(now)).toBeNull();
    rules.noteOpened(tab);
    expect(await request(now)).toEqual({ reason: 'held' });
    now = 40_000;
    rules.noteOpened(tab);
    expect(await request(now)).toBeNull();
  });

  it('pass a while after the act on a page whose frames open documents all the time', async () => {
    let now = 0;
    const rules = rulesWith('act', LEVELS, () => now);
    const tab = tabOf([
      ['main', null, 'https://ask.example/'],
      ['ad', 'main', 'https://ad.example/'],
    ]);
    const opens = asksAt(rules, [tab], { method: 'GET', resourceType: 'Document', frameId: 'ad' });
    rules.noteAct(tab);
    for (now = 3_000; now < 30_000; now += 3_000) {
      await opens(now);
      rules.noteOpened(tab);
    }
    expect(await asksAt(rules, [tab])(now)).toBeNull();
    rules.noteAct(tab);
    await opens(now + 1_000);
    now += 10_000;
    rules.noteOpened(tab);
    expect(await asksAt(rules, [tab])(now)).toEqual({ reason: 'held' });
  });

  it('of a window that an act opened are held when its document has come', async () => {
    let now = 0;
    const rules = rulesWith('act', LEVELS, () => now);
    const opened = tabOf([['w', null, 'https://other.example/']], ['https://ask.example/'], 'w');
    rules.noteAct(page('ask.example'));
    now = 20_000;
    rules.noteOpened(opened);
    const to = asksAt(rules, [opened], { frameId: 'w', url: 'https://ask.example/x' });
    expect(await to(now)).toEqual({ reason: 'held' });
  });

  it('are held until the last of several inputs has been handled', async () => {
    let now = 0;
    const rules = rulesWith('act', LEVELS, () => now);
    const tab = page('ask.example');
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = rules.duringAct(tab, () => promise);
    await rules.duringAct(tab, async () => undefined);
    now = 30_000;
    expect(await asksAt(rules, [tab])(now)).toEqual({ reason: 'held' });
    resolve();
    await slow;
  });

  it('that report something are refused without a question', async () => {
    const rules = rulesWith('act', LEVELS);
    const tab = page('ask.example');
    rules.noteAct(tab);
    for (const resourceType of ['Ping', 'CSPViolationReport'])
      expect(await asksAt(rules, [tab], { resourceType })(0)).toMatchObject({
        reason: expect.stringContaining('beacons'),
      });
  });

  it('are recorded where the person is asked, if nobody was asked about them', async () => {
    const rules = rulesWith('act', LEVELS);
    const all = [page('ask.example'), tabOf([['act', null, 'https://act.example/']])];
    for (const tab of all) rules.noteAct(tab);
    const noted: unknown[] = [];
    const check = createSiteRulesCheck(rules, tabs(all), () => ({
      hold: async () => null,
      noteSent: (tab, { method, url }) => void noted.push([tab, method, url]),
    }));
    const json = sent({ 'content-type': 'application/json' });
    const body = { ...json, postData: '{}' };
    await check({ ...send, url: 'https://ask.example/json' }, body);
    await check({ ...send, url: 'https://ask.example/form' }, sent());
    await check({ ...send, method: 'GET', url: 'https://ask.example/get' }, { headers: {} });
    await check({ ...send, frameId: 'act', url: 'https://act.example/json' }, body);
    expect(noted).toEqual([[all[0], 'POST', 'https://ask.example/json']]);
  });
});
