import { beforeAll, describe, expect, it } from 'vitest';
import * as pageScripts from '#generated/page-scripts.js';
import { grantFor } from '#support/grants.ts';
import { callTool } from '#support/mcp-call.ts';

/** Members of the window that page scripts read. */
const WINDOW_MEMBERS = [
  ...new Set(
    Object.values(pageScripts).flatMap((source) =>
      [...source.matchAll(/\b(?:self|window|globalThis)\??\.(\w+)/gu)].map(([, name = '']) => name),
    ),
  ),
];

/**
 * In a form, a field hides the form's own member of the same name (HTML §4.10.3), and a named picture hides a member of the
 * document (HTML §3.1.6). An element with an id is a member of the window unless the window has one of this name (HTML
 * §7.2.2.3). Here every member that a script could read is hidden.
 */
const HIDE_MEMBERS = `
  const nodes = Object.getOwnPropertyNames(self).map((name) => self[name]).filter((one) => one?.prototype instanceof Node);
  const members = (...prototypes) => [...new Set(prototypes.flatMap((one) => Object.getOwnPropertyNames(one.prototype)))];
  const hidden = (names, tag) => names.map((name) => '<' + tag + ' hidden name="' + name + '">').join('');
  document.body.innerHTML = '<h1>Berths</h1><form id="f" onclick="count = (self.count ?? 0) + 1" style="padding:40px;overflow:auto;height:300px">'
    + '<label>Boat <input id="boat"></label> <label>Kind <select id="kind"><option>Sail<option>Motor</select></label>'
    + '<label><input type="checkbox" id="power"> Power</label> <label>Word <input type="password" id="word"></label>'
    + '<input type="file" aria-label="Picture"><ul><li>One <button type="button" onclick="out.textContent = 1">Count</button></li><li>Two</li></ul><output id="out">0</output>'
    + '<p style="margin-top:900px">The end</p>' + hidden(members(...nodes, Node, EventTarget), 'input') + '</form>'
    + hidden(members(Document, Node, EventTarget), 'img')
    + ${JSON.stringify(WINDOW_MEMBERS)}.map((name) => '<a hidden id="' + name + '"></a>').join('');
  return 1`;

const SESSION = 'named-fields';
let token = '';

beforeAll(async () => {
  token = await grantFor('owner-of-named-fields', ['web:read', 'browser:use', 'browser:evaluate']);
  await call('browser_navigate', { url: 'http://login.acme.dev/who' });
  await call('browser_evaluate', { script: HIDE_MEMBERS });
});

async function call(tool: string, args: Record<string, unknown>): Promise<string> {
  const { result } = await callTool('modern', tool, { ...args, session: SESSION }, { token });
  return result?.content?.[0]?.text ?? '';
}

describe('a page whose form fields and pictures have the names of DOM members', () => {
  it.each<[string, Record<string, unknown>, RegExp]>([
    ['browser_snapshot', {}, /button "Count"/u],
    ['browser_snapshot', { interactive_only: true }, /button "Count"/u],
    ['browser_snapshot', { selector: '#f' }, /button "Count"/u],
    ['browser_snapshot', { find: 'Count' }, /button "Count"/u],
    ['browser_screenshot', {}, /^(?!Error)/u],
    ['browser_screenshot', { overlay: true }, /^(?!Error)/u],
    ['browser_screenshot', { selector: '#f' }, /^(?!Error)/u],
    ['browser_screenshot', { accessibility_tree: true }, /^(?!Error)/u],
    ['browser_point', { action: 'click', x: 40, y: 100 }, /^(?!Error)/u],
    ['browser_click', { selector: '#f' }, /^(?!Error)/u],
    ['browser_click', { selector: 'button "Count"' }, /^Clicked/u],
    ['browser_fill', { selectors: ['Boat', 'Kind', 'Power'], values: ['Ada', 'Motor', 'true'] }, /^Filled/u],
    ['browser_type', { selector: 'Boat', text: ' II' }, /^Typed/u],
    [
      'browser_do',
      { steps: ['type Kelp into "Boat"', 'check "Power"', 'choose "Kind" = Sail', 'press Tab'] },
      /^(?!Error)/u,
    ],
    ['browser_files', { action: 'put', name: 'a.txt', text: 'Hello', selector: 'button "Picture"' }, /^(?!Error)/u],
    ['browser_scroll', { selector: '#f' }, /^Scrolled/u],
    ['browser_scroll', {}, /^(?!Error)/u],
    ['browser_scroll', { selector: 'text=The end', into_view: true }, /^In view now/u],
    ['browser_wait', { text: 'The end' }, /^(?!Error)/u],
    ['browser_html', {}, /Count/u],
    ['browser_html', { selector: '#f' }, /Count/u],
    ['browser_read', { selector: 'body' }, /The end/u],
  ])('is driven like any other: %s %j', async (tool, args, answer) => {
    expect(await call(tool, args)).toMatch(answer);
  });
});
