import { beforeAll, describe, expect, it } from 'vitest';
import { CATALOG } from '#tools/catalog.ts';
import { grantFor } from '#support/grants.ts';
import { HOSTILE_TEXT as H } from '#support/invisible.ts';
import { arrivedIn, callAll, HOSTILE_LIVE as LIVE, send } from '#support/invisible-calls.ts';
import type { Call } from '#support/invisible-calls.ts';

/**
 * A site and a caller put invisible characters into every text that they can send. Every browser tool is called, every
 * text of every answer is checked, and every text field that a tool has must be among them.
 */

/** In the order of the catalog; a missing tool fails the test. */
const CALLS: Record<string, readonly Call[]> = {
  browser_launch: [
    {},
    { session: H },
    { session: 'other', color_scheme: 'dark', locale: 'de-DE', timezone: 'Asia/Tokyo' },
    { locale: H, timezone: H },
    { device: H, geolocation: H },
  ],
  browser_navigate: [
    { url: LIVE, snapshot: true },
    { url: LIVE.replace('live', 'long'), new_tab: true, snapshot: true },
    { url: `http://hostile.acme.dev/gone?${H}#${H}`, tab: 't2' },
    { url: 'http://hostile.acme.dev/moved', tab: 't2' },
    { url: 'http://hostile.acme.dev/file', tab: 't2' },
    { url: `http://10.1.2.3/${H}`, tab: 't2' },
    { url: H },
    { url: LIVE, tab: H },
  ],
  browser_snapshot: [{}, { interactive_only: true, max_bytes: 2_000 }, { selector: `#${H}` }, { after: H }],
  browser_do: [
    { steps: ['hover #say', 'expect text=walrus'], dialog: 'accept', dialog_text: H },
    { steps: ['expect #say has "nothing of it"'], snapshot: true },
    { steps: [`click "${H}"`, 'press Tab'] },
    { steps: [H, `fill ${H}`] },
  ],
  browser_click: [
    { selector: '#say', snapshot: true, dialog: 'accept', dialog_text: H },
    { selector: '#say' },
    { selector: '#open', snapshot: true },
    { selector: '#send' },
    { selector: '#under' },
    { selector: `@e999999` },
    { selector: `text=${H}` },
    { selector: '#say', modifiers: [H] },
  ],
  browser_fill: [
    { selectors: ['#name'], values: ['y'], snapshot: true },
    { selectors: ['#name', '#choice'], values: [H, H] },
    { selectors: [H], values: [H, H] },
    { selectors: ['#name'], values: [], [H]: H },
  ],
  browser_type: [
    { selector: '#name', text: H, snapshot: true },
    { selector: '#must', key: H },
    { selector: H, text: H },
  ],
  browser_point: [
    { action: 'hover', selector: '#say', snapshot: true },
    { action: 'drag', selector: '#under', to_selector: '#name' },
    { action: 'drag', selector: 'main:nth-of-type(1) h1', to_selector: 'main:nth-of-type(1) caption' },
    { action: 'click', x: 1, y: 1 },
    { action: 'drag', selector: '#say', to_selector: H },
    { action: H, selector: H },
  ],
  browser_log: [
    { kind: 'console' },
    { kind: 'requests' },
    { kind: 'request', id: 'r1' },
    { kind: 'console', filter: H },
    { kind: 'request', id: H },
  ],
  browser_files: [
    { action: 'put', name: H, text: H, selector: '#file' },
    { action: 'put', name: H, text: H, selector: '#name' },
    { action: 'put', file: H },
    { action: 'list' },
    { action: 'delete', file: H },
    { action: H },
  ],
  browser_scroll: [{ snapshot: true }, { selector: H }, { direction: H }],
  browser_wait: [
    { text: 'walrus', timeout_ms: 100, snapshot: true },
    { selector: '#name', snapshot: true },
    { gone_selector: '#name', timeout_ms: 100 },
    { text: H, timeout_ms: 100 },
    { selector: H, text: H },
  ],
  browser_screenshot: [{}, { overlay: true }, { selector: H }],
  browser_evaluate: [
    { script: `({ [${JSON.stringify(H)}]: ${JSON.stringify(H)}, title: document.title, cookie: document.cookie })` },
    { script: `throw new Error(document.title)` },
    { script: 'document.title' },
    { script: '"\\u0007\\u001b" + document.title', selector: '#name' },
    { script: `${H} (` },
    { script: `fetch('${H}'); eval('1')` },
  ],
  browser_html: [{ max_bytes: 100_000 }, { selector: '#name' }, { keep_scripts: true }, { selector: H }],
  browser_read: [{}, { selector: 'main' }, { selector: '#under' }, { selector: '#open', session: H }],
  // A repeated call in the same session would wait for a person.
  browser_handoff: [
    { reason: 'Please' },
    { reason: 'Please', tab: H, session: 'other' },
    { reason: `Please ${H}`, session: 'other' },
    { reason: H, session: H },
  ],
  browser_close: [{ tab: 't2' }, { tab: H }, {}, { session: H }],
};

let token = '';
beforeAll(async () => {
  token = await grantFor('hostile-reader', ['web:read', 'browser:use', 'browser:evaluate']);
});

describe('invisible text', () => {
  it('is missing from every result of every browser tool', async () => {
    const tools = CATALOG.filter(({ name }) => name.startsWith('browser_'));
    const known = { first: '', cursor: '', list: '', snapshot: '', id: '' };
    expect(await callAll(token, tools, CALLS, { query: '?structured=on', known })).toEqual([]);
  }, 600_000);

  it('is missing from a page that a browser has rendered for reading', async () => {
    const args = { url: LIVE.replace('http:', 'https:'), mode: 'rendered', explain: true };
    const answer = await send(token, 'modern', 'tools/call', { name: 'web_open', arguments: args }, '?structured=on');
    expect(arrivedIn(answer, 'web_open, rendered')).toEqual([]);
    expect(JSON.stringify(answer)).toContain('walrus');
  });
});
