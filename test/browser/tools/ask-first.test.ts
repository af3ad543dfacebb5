import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { sessionKey } from '#browsing/session/session-name.ts';
import type { SiteRule } from '#core/site-rules.ts';
import { openDb } from '#storage/db.ts';
import { SiteRuleStore } from '#storage/site-rules.ts';
import { grantFor } from '#support/grants.ts';
import { callTool } from '#support/mcp-call.ts';

const SUBJECT = 'asked-of-tools';
const PAGE = `document.body.innerHTML = '<form method="post" action="/pay"><input name="card" autocomplete="cc-number" value="4111">'
  + '<button>Pay now</button></form><button onclick="this.textContent = 1">Show more</button>'; return 1`;

let token = '';

beforeAll(async () => {
  token = await grantFor(SUBJECT, ['browser:use', 'browser:evaluate']);
});

async function call(tool: string, args: Record<string, unknown> = {}) {
  const { result } = await callTool('modern', tool, { session: 'asked', ...args }, { token });
  return result?.content?.find(({ type }) => type === 'text')?.text ?? '';
}

it('a consequential act asks the user by a link, stops a list, blocks scripts, and happens once after the answer', async () => {
  const object = env.BROWSER_SESSION.get(env.BROWSER_SESSION.idFromName(sessionKey(SUBJECT, 'asked')));
  await call('browser_navigate', { url: 'http://login.acme.dev/who' });
  await call('browser_evaluate', { script: PAGE });
  const rule: SiteRule = { host: 'login.acme.dev', path: '/', level: 'ask' };
  await new SiteRuleStore(openDb(env.DB)).save(SUBJECT, { rules: [rule], fallback: 'act' });
  await object.rulesChanged();
  expect(await call('browser_evaluate', { script: 'return 1' })).toContain('blocked_by_rule');
  const asked = await call('browser_click', { selector: 'button "Pay now"' });
  expect(asked).toContain('approval_needed');
  const [question] = await object.questions(SUBJECT);
  expect(asked).toContain(`/console/approvals?name=asked&question=${question?.id}`);
  const listed = await call('browser_do', { steps: ['click "Show more"', 'click "Pay now"'] });
  expect(listed).toContain('Took 1 of 2 steps.');
  expect(listed).toContain(`question=${question?.id}`);
  expect(listed).toContain('Next: browser_do {"steps":["click \\"Pay now\\""]');
  expect(await object.answer('another', question?.id ?? '', 'once')).toBeNull();
  await object.answer(SUBJECT, question?.id ?? '', 'once');
  expect(await call('browser_click', { selector: 'button "Pay now"' })).toContain('http://login.acme.dev/pay');
  await call('browser_close');
});

it('a form that a page sends after a harmless act is held until the user answers', async () => {
  const object = env.BROWSER_SESSION.get(env.BROWSER_SESSION.idFromName(sessionKey(SUBJECT, 'asked')));
  await new SiteRuleStore(openDb(env.DB)).save(SUBJECT, { rules: [], fallback: 'act' });
  await call('browser_navigate', { url: 'http://login.acme.dev/who' });
  await object.rulesChanged();
  const sneaky = `document.body.innerHTML = '<form method="post" action="/pay"><input name="a" value="1"></form>'
    + '<button onclick="document.forms[0].submit()">Show more</button>'; return 1`;
  await call('browser_evaluate', { script: sneaky });
  await new SiteRuleStore(openDb(env.DB)).save(SUBJECT, { rules: [], fallback: 'ask' });
  await object.rulesChanged();
  const held = await call('browser_click', { selector: 'button "Show more"' });
  expect(held).toContain('sends a POST request to login.acme.dev, which the user has not approved');
  const [question] = await object.questions(SUBJECT);
  expect(question?.wording).toMatchObject({
    act: 'Let the page send a POST request',
    values: [{ name: 'a', value: '1' }],
  });
  expect(held).toContain(`question=${question?.id}`);
  expect(await call('browser_snapshot')).not.toContain('http://login.acme.dev/pay');
  await object.answer(SUBJECT, question?.id ?? '', 'once');
  await expect.poll(() => call('browser_snapshot')).toContain('http://login.acme.dev/pay');
  await call('browser_close');
});

it('a call runs at once while a form for a new window is held', async () => {
  const object = env.BROWSER_SESSION.get(env.BROWSER_SESSION.idFromName(sessionKey(SUBJECT, 'asked')));
  await new SiteRuleStore(openDb(env.DB)).save(SUBJECT, { rules: [], fallback: 'act' });
  await call('browser_navigate', { url: 'http://login.acme.dev/who' });
  await object.rulesChanged();
  const sneaky = `document.body.innerHTML = '<form method="post" target="_blank" action="/pay"><input name="a" value="1"></form>'
    + '<button onclick="document.forms[0].submit()">Show more</button>'; return 1`;
  await call('browser_evaluate', { script: sneaky });
  await new SiteRuleStore(openDb(env.DB)).save(SUBJECT, { rules: [], fallback: 'ask' });
  await object.rulesChanged();
  expect(await call('browser_click', { selector: 'button "Show more"' })).toContain('approval_needed');
  expect(await call('browser_navigate', { url: 'http://login.acme.dev/who' })).toContain('http://login.acme.dev/who');
  await call('browser_close');
});
