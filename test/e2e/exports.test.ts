import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectModern } from '#support/mcp-clients.ts';
import type { TestClient } from '#support/mcp-clients.ts';
import { pageOf } from '#support/oauth-browser.ts';
import type { Browser } from '#support/oauth-browser.ts';
import { startOrigin } from '#support/origin.ts';
import type { Handler, Origin } from '#support/origin.ts';
import { newPerson, newSitePort, sharedServer } from '#support/shared.ts';

/** Exports of a session in which a model has typed secrets. */

const SECRETS = { bank: 'qX7vbN2lmK9rtZ4w', door: 'Lp3sWd8uYh1cVe6k' };
/** The site repeats what it was sent, in its text, its address and a header. */
const PAGE = (said: string) =>
  `<!doctype html><title>Said ${said}</title><h1>Hello ${said}</h1><form action="/hello"><label>Name <input name="name"></label> <label>Key <input name="key"></label> <button>Send</button></form><button onclick="fetch('/api?key=' + encodeURIComponent(document.querySelector('h1').textContent))">Ask ${said}</button>`;

let site: Origin;
let model: TestClient;
let person: Browser;
let origin = '';

beforeAll(async () => {
  const answer: Handler = (request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://site');
    const headers = {
      'content-type': 'text/html; charset=utf-8',
      'set-cookie': 'sid=cookie-5e55i0n-value',
      'x-said': searchParams.get('key') ?? '',
    };
    response.writeHead(200, headers).end(request.url === '/app' ? APP : PAGE(searchParams.get('key') ?? ''));
  };
  site = await startOrigin({}, answer, await newSitePort());
  ({ origin } = await sharedServer());
  const account = await newPerson('exports');
  model = await connectModern(account);
  person = account.browser;
  const secrets = pageOf(await person.get(`${origin}/console/secrets`));
  for (const [name, value] of Object.entries(SECRETS))
    await person.submit(secrets, '/console/secrets', { name, sites: site.url, value });
});
afterAll(async () => {
  await model?.call('browser_close', {});
  await model?.close();
  await site?.close();
});

async function saved(session = 'default'): Promise<string> {
  return pageOf(await person.get(`${origin}/console/session/test?name=${session}`)).html;
}

describe('an export of a session', () => {
  it('repeats the actions of the model, and contains no stored secret, cookie or body', async () => {
    await model.call('browser_navigate', { url: `${site.url}/` });
    const filled = { selectors: ['Name', 'Key'], values: ['Ann', 'secret:bank'] };
    expect((await model.call('browser_fill', filled)).text).toContain('2 fields');
    await model.call('browser_click', { selector: 'button "Send"' });
    await model.call('browser_do', { steps: ['fill "Key" = secret:door', 'fill "Name" = Bob', 'click button "Send"'] });
    await model.call('browser_click', { selector: 'text=Ask' });
    await expect.poll(() => saved()).toMatch(/Bob[\s\S]*holds a secret/u);
    const test = await saved();
    expect(test).toContain(`await page.goto("${site.url}/");`);
    expect(test).toContain('getByRole("textbox", { name: "Name", exact: true }).fill("Ann");');
    expect(test).toContain("fill(process.env.SECRET_BANK ?? '');");
    expect(test).toContain("fill(process.env.SECRET_DOOR ?? '');");
    for (const secret of [...Object.values(SECRETS), 'cookie-5e55i0n-value']) expect(test).not.toContain(secret);
    expect(test).not.toContain('<form');
  });
});

const APP = `<!doctype html><title>App</title><main><h1>List</h1>
  <label>New <input id="new"></label> <button onclick="add()">Add</button>
  <label><input type="checkbox" id="all"> All</label>
  <label>Size <select><option>Small<option>Large</select></label>
  <ul></ul><p id="said"></p><button onclick="location = '/hello?key=Ann'">Leave</button></main><script>
  const said = (text) => { document.querySelector('#said').textContent = text; };
  function row(words) {
    const item = document.createElement('li');
    item.append(words + ' ');
    const button = document.createElement('button');
    button.textContent = 'Delete';
    button.onclick = () => { item.remove(); said('Deleted ' + words); };
    item.append(button);
    document.querySelector('ul').append(item);
  }
  function add() { row(document.querySelector('#new').value); said('Added ' + document.querySelector('#new').value); }
  document.querySelector('#new').onkeydown = ({ key }) => { if (key === 'Enter') add(); };
  ['Milk', 'Tea', 'Salt'].forEach(row);
</script>`;

/** Ten sessions, each by the calls after the page was opened. */
const SESSIONS: readonly (readonly [tool: string, args: Record<string, unknown>])[][] = [
  [
    ['browser_fill', { selectors: ['New'], values: ['Bread'] }],
    ['browser_click', { selector: 'button "Add"' }],
  ],
  [['browser_click', { selector: 'button "Delete" nth=2' }]],
  [['browser_fill', { selectors: ['All', 'Size'], values: ['true', 'Large'] }]],
  [['browser_do', { steps: ['fill "New" = Bread', 'click button "Add"', 'expect text=Added Bread'] }]],
  [
    ['browser_fill', { selectors: ['New'], values: ['`${1}` \'); " */'] }],
    ['browser_click', { selector: 'button "Add"' }],
  ],
  [
    ['browser_fill', { selectors: ['New'], values: ['Rice'] }],
    ['browser_type', { selector: '#new', key: 'Enter' }],
  ],
  [['browser_point', { action: 'hover', selector: 'button "Leave"' }]],
  [['browser_click', { selector: 'button "Leave"' }]],
  [
    ['browser_click', { selector: 'button "Leave"' }],
    ['browser_navigate', { history: 'back' }],
  ],
  [
    ['browser_click', { selector: 'button "Delete" nth=1' }],
    ['browser_click', { selector: 'button "Delete" nth=2' }],
  ],
];

/** A folder in which `npm install` of test/replay has been run. */
const PLAYWRIGHT = process.env['PLAYWRIGHT_FOLDER'];

describe.skipIf(PLAYWRIGHT === undefined)('a saved test', () => {
  it('repeats these actions in Playwright', async () => {
    const folder = PLAYWRIGHT ?? '';
    const tests = join(folder, 'tests');
    await rm(tests, { recursive: true, force: true });
    await mkdir(tests, { recursive: true });
    for (const [at, calls] of SESSIONS.entries()) {
      const session = `replayed${at}`;
      await model.call('browser_navigate', { session, url: `${site.url}/app` });
      for (const [tool, args] of calls) {
        const { text, structured } = await model.call(tool, { session, ...args });
        expect(structured['error'] ?? text).toBe(text);
      }
      const steps = calls.length + 1;
      await expect
        .poll(async () => (await saved(session)).split('await page.').length, { timeout: 20_000 })
        .toBeGreaterThan(steps);
      await writeFile(join(tests, `${session}.spec.js`), await saved(session));
      await model.call('browser_close', { session });
    }
    const browser = JSON.stringify({ executablePath: process.env['PLAYWRIGHT_CHROMIUM'], args: ['--no-sandbox'] });
    await writeFile(
      join(folder, 'playwright.config.js'),
      `export default { testDir: 'tests', workers: 1, timeout: 60_000, use: { launchOptions: ${browser} } };`,
    );
    const cli = join(folder, 'node_modules/@playwright/test/cli.js');
    // In another process, because this thread serves the site meanwhile.
    const run = await promisify(execFile)(process.execPath, [cli, 'test', '--reporter=line'], { cwd: folder });
    console.log(run.stdout);
    expect(run.stdout).toContain(`${SESSIONS.length} passed`);
  }, 600_000);
});
