import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { applyRulesToOpenSessions } from '#account/allow-acting.ts';
import { parseSite } from '#core/site-rules.ts';
import type { RuleLevel } from '#core/site-rules.ts';
import { openDb } from '#storage/db.ts';
import { SiteRuleStore } from '#storage/site-rules.ts';
import { grantFor } from '#support/grants.ts';
import { callTool } from '#support/mcp-call.ts';

const SUBJECT = 'u_ruled';
const LOOK = 'http://look.ruled.dev';
const ACT = 'http://act.ruled.dev';
const BLOCKED = 'http://blocked.ruled.dev';
const REFUSED = 'blocked_by_rule';

let token = '';
beforeAll(async () => {
  token = await grantFor(SUBJECT, ['web:read', 'browser:use', 'browser:evaluate']);
});

async function call(tool: string, args: Record<string, unknown> = {}): Promise<string> {
  const { result, error } = await callTool('modern', tool, args, { token });
  if (result === undefined) throw new Error(error?.message);
  return (result.content ?? []).map(({ text }) => text).join('\n');
}

async function rule(fallback: RuleLevel, ...sites: readonly (readonly [string, RuleLevel])[]): Promise<void> {
  const rules = sites.flatMap(([text, level]) => {
    const site = parseSite(text);
    return typeof site === 'string' ? [] : [{ ...site, level }];
  });
  await new SiteRuleStore(openDb(env.DB)).save(SUBJECT, { rules, fallback });
  expect(await applyRulesToOpenSessions(env, SUBJECT)).toBe(true);
}

const go = (url: string, args: Record<string, unknown> = {}) =>
  call('browser_navigate', { url, snapshot: true, ...args });
/** The requests that a site received and that may change something, read in a separate tab. */
async function sentTo(site: string): Promise<string> {
  const shown = await go(`${site}/sent`, { new_tab: true });
  await call('browser_close', { tab: /\bt\d+\b/u.exec(shown)?.[0] ?? '' });
  return /Sent: (\[.*\])/u.exec(shown)?.[1] ?? shown;
}

describe('rules by site', () => {
  it(
    'may allow a model only to look, and block every other act of the model and the page',
    { timeout: 120_000 },
    async () => {
      await rule('act', ['look.ruled.dev', 'read'], ['blocked.ruled.dev', 'block']);
      expect(await go(`${LOOK}/`)).toContain('Balance');
      for (const [tool, args] of [
        ['browser_click', { selector: '#send' }],
        ['browser_type', { selector: '#to', text: 'x', submit: true }],
        ['browser_type', { key: 'Enter' }],
        ['browser_fill', { selectors: ['#to'], values: ['x'] }],
        ['browser_point', { action: 'click', selector: '#send' }],
        ['browser_evaluate', { script: 'document.forms[0].submit()' }],
        ['browser_files', { action: 'put', selector: '#to', name: 'x.txt', text: 'x' }],
        ['browser_point', { action: 'hover', selector: '#hover', dialog: 'accept' }],
      ] satisfies [string, Record<string, unknown>][])
        expect(await call(tool, args), `${tool} ${JSON.stringify(args)}`).toContain(REFUSED);
      const list = await call('browser_do', { steps: ['scroll down', 'press Enter'] });
      expect(list).toContain('Took 1 of 2 steps. Step 2 of 2: A rule of the user lets models only look');
      expect(await call('browser_point', { action: 'hover', selector: '#hover' })).not.toContain(REFUSED);
      expect(await call('browser_scroll', { direction: 'down' })).not.toContain(REFUSED);
      for (const tool of ['browser_snapshot', 'browser_read', 'browser_screenshot', 'browser_html'])
        expect(await call(tool)).not.toContain(REFUSED);
      expect(await go(`${ACT}/`)).toContain('Balance');
      expect(await sentTo(LOOK)).toBe('[]');
    },
  );

  it('block a site in every way that leads to it', { timeout: 120_000 }, async () => {
    expect(await go(`${BLOCKED}/`)).toContain(REFUSED);
    expect(await go(`${ACT}/`)).toContain('Balance');
    const clicked = await call('browser_click', { selector: '#away' });
    expect(clicked).toContain('a rule blocks this site for models');
    const around = await go(`${ACT}/around?in=blocked.ruled.dev`);
    expect(around).toContain('Around');
    expect(around).not.toContain('Balance');
    expect(await call('browser_click', { selector: '#own' })).not.toContain(REFUSED);
  });

  it('apply to the frame of an element, and not to the page around it', { timeout: 120_000 }, async () => {
    expect(await go(`${ACT}/around?in=look.ruled.dev`)).toContain('Balance');
    expect(await call('browser_click', { selector: 'button "Send"' })).toContain(REFUSED);
    expect(await call('browser_click', { selector: '#own' })).not.toContain(REFUSED);
    expect(await sentTo(LOOK)).toBe('[]');
  });

  it('apply to a running session at once, for each page that it shows', { timeout: 120_000 }, async () => {
    await go(`${ACT}/`);
    expect(await call('browser_fill', { selectors: ['#to'], values: ['x'] })).not.toContain(REFUSED);
    await rule('act', ['act.ruled.dev', 'block']);
    expect(await call('browser_snapshot')).toContain(REFUSED);
    expect(await call('browser_navigate', { history: 'reload' })).toContain(REFUSED);
    expect(await go(`${LOOK}/`)).toContain('Balance');
    expect(await call('browser_navigate', { history: 'back' })).toContain(REFUSED);
    await rule('act');
    await go(`${LOOK}/`);
    expect(await call('browser_click', { selector: '#send', snapshot: true })).toContain('Taken');
    expect(await sentTo(LOOK)).toContain('POST');
  });

  it('stop every call while they are unreadable', { timeout: 120_000 }, async () => {
    await env.DB.prepare(`UPDATE site_rules SET list = '{}' WHERE subject = ?`).bind(SUBJECT).run();
    expect(await applyRulesToOpenSessions(env, SUBJECT)).toBe(false);
    expect(await call('browser_snapshot')).toContain('unavailable');
    await rule('act');
    expect(await call('browser_snapshot')).not.toContain('rror');
    await call('browser_close');
  });
});
