import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { excess, makeCall, needsBrowser } from '#support/counted-calls.ts';
import type { CountedCall } from '#support/counted-calls.ts';
import { countPlatform } from '#support/counted-platform.ts';
import { grantTokens } from '#support/grants.ts';
import { CATALOG } from '#tools/catalog.ts';

const BROWSING: readonly CountedCall[] = [
  ['`browser_launch`', 'browser_launch', () => ({})],
  ['`browser_navigate`', 'browser_navigate', () => ({ url: 'http://trips.acme.dev/form' })],
  ['`browser_snapshot`', 'browser_snapshot', () => ({})],
  ['`browser_click`', 'browser_click', () => ({ selector: '#go' })],
  ['`browser_fill`', 'browser_fill', () => ({ selectors: ['#name'], values: ['Ann'] })],
  ['`browser_type`', 'browser_type', () => ({ selector: '#name', text: 'x' })],
  ['`browser_do`', 'browser_do', () => ({ steps: ['press Tab'] })],
  ['`browser_scroll`', 'browser_scroll', () => ({})],
  ['`browser_wait`', 'browser_wait', () => ({ text: 'Name' })],
  ['`browser_screenshot`', 'browser_screenshot', () => ({})],
  ['`browser_point`', 'browser_point', () => ({ action: 'hover', x: 10, y: 10 })],
  ['`browser_evaluate`', 'browser_evaluate', () => ({ script: 'return 1' })],
  ['`browser_html`', 'browser_html', () => ({})],
  ['`browser_read`', 'browser_read', () => ({})],
  ['`browser_log`', 'browser_log', () => ({ kind: 'console' })],
  ['`browser_files`, list', 'browser_files', () => ({ action: 'list' })],
  ['`browser_handoff`', 'browser_handoff', () => ({ reason: 'Sign in, please.' })],
  ['`browser_close`', 'browser_close', () => ({})],
  ['`view_image`', 'view_image', () => ({ url: 'https://trips.acme.dev/a.png' })],
];

let platform: Awaited<ReturnType<typeof countPlatform>>;
let oauth = '';

beforeAll(async () => {
  oauth = (await grantTokens('u_trips', ['web:read', 'browser:use', 'browser:evaluate'])).access_token;
  // The table counts calls at a site of which a page was opened before.
  await makeCall(['', 'open_url', () => ({ url: 'https://trips.acme.dev/alarms' })], oauth);
  platform = await countPlatform();
});
afterAll(() => platform.stop());

describe('a call makes no more hops than the table lists:', () => {
  it.for(BROWSING)('%s', async (one, { task }) => {
    const hops = await platform.hopsOf(() => makeCall(one, oauth));
    task.meta.hops = { call: one[0], ...hops };
    expect(excess(one[0], hops)).toEqual([]);
  });
});

describe('the table of hops', () => {
  it('has a row for each browser tool, and no other rows', () => {
    const names = CATALOG.map(({ name }) => name).filter(needsBrowser);
    expect(new Set(BROWSING.map(([, tool]) => tool))).toEqual(new Set(names));
  });
});
