import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectModern } from '#support/mcp-clients.ts';
import type { TestClient, ToolResult } from '#support/mcp-clients.ts';
import { pageOf } from '#support/oauth-browser.ts';
import { startOrigin } from '#support/origin.ts';
import type { Handler, Origin } from '#support/origin.ts';
import { newPerson, newSitePort } from '#support/shared.ts';

/** A model that wants to know a secret, on a site that shows the names that it does not know, for real. */

const VALUE = 'qX7vbN2lmK9rtZ4w';

let site: Origin;
let model: TestClient;
let told: string[] = [];
let session = '';

const form = (field: string) =>
  `<!doctype html><title>Name</title><form action="/hello">${field}<button id="go">Go</button></form>`;
const PAGES: Record<string, string> = {
  '/name': form('<input id="user" name="user">'),
  '/area': form('<textarea id="user" name="user"></textarea>'),
  '/short': form('<input id="user" name="user" maxlength="7">'),
  // The site writes it into these, and shows what they hold.
  '/again': form('<input id="user" name="user">').replace('/hello', '/refused'),
  '/copies': form('<input id="user" name="user">').replace(
    '</form>',
    `</form><div id="host"></div><div id="note" contenteditable role="textbox"></div><iframe id="frame"></iframe><p id="said"></p><script>
      const shadow = host.attachShadow({ mode: 'open' });
      shadow.innerHTML = '<input id="inside">';
      frame.contentDocument.body.innerHTML = '<input id="framed">';
      const inside = shadow.firstChild, framed = frame.contentDocument.body.firstChild;
      user.addEventListener('change', () => { inside.value = framed.value = note.textContent = user.value });
      for (const one of [inside, framed, note])
        one.addEventListener('input', () => { said.textContent = 'No user has ' + (one.value ?? one.textContent) });
    </script>`,
  ),
  '/number': form('<input id="user" name="user" type="number">'),
  // The site stores typed text in the name of its window.
  '/named': form('<input id="user" name="user" oninput="window.name = this.value">'),
  '/pops':
    '<!doctype html><title>Pops</title><button id="open" onclick="other = window.open(ADDRESS)">Sign in</button><a id="link" target="_blank">Sign in</a><script>ADDRESS = link.href = new URLSearchParams(location.search).get("to")</script>',
  '/blank':
    '<!doctype html><title>Blank</title><button id="open" onclick="window.open(\'\', \'print\')">Print</button>',
};

beforeAll(async () => {
  const answer: Handler = (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
    const user = searchParams.get('user') ?? '';
    const hello = `<!doctype html><title>Hello</title><h1>There is no ${user}</h1><input id="again" value="${user}">`;
    const refused = form(`<p>There is no ${user}</p><input id="user" name="user" value="${user}">`);
    const page = pathname === '/hello' ? hello : pathname === '/refused' ? refused : PAGES[pathname];
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  };
  site = await startOrigin({}, answer, await newSitePort());
  const person = await newPerson('held');
  model = await connectModern(person);
  const secrets = pageOf(await person.browser.get(`${person.browser.origin}/console/secrets`));
  for (const [name, value] of Object.entries({ bank: VALUE, number: '7340518' })) {
    await person.browser.submit(secrets, '/console/secrets', { name, sites: site.url, value });
  }
});
afterAll(async () => {
  await end();
  await model?.close();
  await site?.close();
});

async function ask(tool: string, args: Record<string, unknown> = {}): Promise<ToolResult> {
  const result = await model.call(tool, { session, ...args });
  told.push(result.text, JSON.stringify(result.structured));
  return result;
}

/** Under its name, this machine is another site. */
const elsewhere = () => `http://localhost:${new URL(site.url).port}`;

/** Reads the name of a window letter by letter, backwards, as soon as it may. */
const pollsName = (of: string) =>
  `setInterval(() => { try { if (${of}.name.length > 9) document.title = [...${of}.name].reverse().join('') } catch {} }, 20); 1`;

/** Stays in the session of the previous test: typed text counts from the first field on. */
async function open(path: string): Promise<void> {
  if (session === '') await begin();
  told = [];
  await ask('browser_navigate', { url: site.url + path });
}

/** A session in which nothing has happened. The one before ends. */
async function begin(): Promise<void> {
  await end();
  session = `s${crypto.randomUUID().slice(0, 8)}`;
  told = [];
}

async function end(): Promise<void> {
  if (session !== '') await model?.call('browser_close', { session });
  session = '';
}

const fill = (secret = 'secret:bank') => ask('browser_fill', { selectors: ['#user'], values: [secret] });
const press = (key: string) => ask('browser_type', { selector: '#user', key });

/** The last request that the site received. */
async function sent(): Promise<string | null> {
  const before = site.requests.length;
  await ask('browser_click', { selector: '#go' });
  await ask('browser_snapshot');
  const asked = site.requests.slice(before).find(({ path }) => path.startsWith('/hello'));
  return asked === undefined ? null : new URL(asked.path, site.url).searchParams.get('user');
}

function expectNothingTold(value = VALUE): void {
  const parts = Array.from({ length: value.length - 3 }, (_, at) => value.slice(at, at + 4));
  for (const part of [...parts, ...parts.map((one) => Array.from(one).toReversed().join(''))]) {
    expect(told.filter((text) => text.includes(part))).toEqual([]);
  }
}

describe('a field with a typed secret', () => {
  it('is submitted unchanged', async () => {
    await open('/name');
    await fill();
    expect(await sent()).toBe(VALUE);
    expectNothingTold();
    await open('/name');
    await ask('browser_type', { selector: '#user', text: 'secret:bank', submit: true });
    expect(site.requests.at(-1)?.path).toBe(`/hello?user=${VALUE}`);
    expectNothingTold();
  });

  it.each([
    ['a letter in the middle', ['End ArrowLeft ArrowLeft ArrowLeft ArrowLeft x'], 'x'],
    ['a letter taken away', ['End Backspace'], ''],
    ['a letter taken away in front', ['Home Delete'], ''],
    ['a part selected and replaced', ['Home Shift+ArrowRight Shift+ArrowRight y'], 'y'],
    ['taken away, undone and taken away', ['Backspace Control+z Backspace Backspace'], ''],
    ['undone', ['Control+z Control+z End Backspace'], ''],
  ])('is emptied by the first key that edits it: %s', async (_, keys, left) => {
    for (const path of ['/name', '/area']) {
      await open(path);
      await fill();
      for (const one of keys) await press(one);
      expect(await sent()).toBe(left);
      expectNothingTold();
    }
  });

  it('is emptied by text inserted without a key, and accepts text again afterwards', async () => {
    await open('/name');
    await fill();
    await ask('browser_type', { selector: '#user', text: 'é and more' });
    expect(await sent()).toBe('é and more');
    await open('/name');
    await fill();
    await fill('something else');
    await press('End Backspace');
    expect(await sent()).toBe('something els');
  });

  it('contains the secret once when it is typed again at a caret inside it', async () => {
    await open('/name');
    await fill();
    await press('End ArrowLeft ArrowLeft ArrowLeft');
    await ask('browser_type', { selector: '#user', text: 'secret:bank' });
    expect(await sent()).toBe(VALUE);
    expectNothingTold();
  });

  it('contains the whole secret or nothing', async () => {
    await open('/short');
    expect((await fill()).text).toContain('the field did not keep the full value');
    expect(await sent()).toBe('');
    await open('/short');
    const typed = await ask('browser_type', { selector: '#user', text: 'secret:bank' });
    expect(typed.text).toContain('the field did not keep the full value');
    expect(await sent()).toBe('');
    await open('/number');
    expect((await fill()).text).toContain('secret_refused');
    expect(await sent()).toBe('');
    expectNothingTold();
  });

  it('contains the whole secret or nothing on the next page, too, if the site has written it there', async () => {
    await open('/again');
    await fill();
    await ask('browser_click', { selector: '#go' });
    await press('Home Delete Delete Delete End Backspace Backspace Backspace');
    await ask('browser_snapshot');
    await ask('browser_click', { selector: '#go' });
    expect(told.at(-1)).toContain('/hello?user="');
    expect(told.join('\n')).not.toContain('bN2lmK9');
  });

  it.each(['#inside', '#framed', '#note'])('contains the whole secret or nothing in a copy at %s', async (selector) => {
    await open('/copies');
    await fill();
    await ask('browser_click', { selector: 'body' });
    const cut = await ask('browser_type', { selector, key: 'Home Delete Delete Delete End Backspace Backspace' });
    expect(cut.text).not.toContain('bN2lmK9');
    const replaced = await ask('browser_type', { selector, text: 'ana' });
    expect(replaced.text).toContain('No user has ana');
    expect(told.join('\n')).not.toContain('bN2lmK9');
  });

  it('ignores arrow keys that would step a number', async () => {
    await open('/number');
    await fill('secret:number');
    await press('ArrowUp');
    expect(await sent()).toBe('7340518');
  });

  it('is empty when history restores it, and no script runs there', async () => {
    for (const path of ['/name', '/area']) {
      await open(path);
      await fill();
      await sent();
      await ask('browser_navigate', { history: 'back' });
      expect((await ask('browser_evaluate', { script: 'user.value' })).text).toContain('script_blocked');
      expect(await sent()).toBe('');
      expectNothingTold();
    }
  });
});

describe('a secret that a page shows', () => {
  // Earlier scripts count, too.
  beforeEach(begin);

  it('cannot be guessed by selectors with parts of attributes, wherever it is', async () => {
    await open('/name');
    await fill();
    await sent();
    for (const selector of ['[value^="qX"]', '[value^="aX"]', '[value/**/*="7"]']) {
      for (const tool of ['browser_wait', 'browser_html', 'browser_click', 'browser_screenshot', 'browser_read']) {
        expect((await ask(tool, { selector })).text).toContain('compares a part of an attribute');
      }
    }
  });

  it('cannot be read by a script that ran earlier: around it, next to it, or in a blank window', async () => {
    const spy = (where: string) =>
      `setInterval(() => { const it = ${where}.document.querySelector('#user')?.value; if (it) document.title = [...it].reverse().join('') }, 20)`;
    await open('/name');
    await ask('browser_evaluate', {
      script: `document.body.innerHTML = '<iframe name="inner" src="/name"></iframe>'; ${spy('frames.inner')}; 1`,
    });
    await ask('browser_wait', { selector: '#user' });
    expect((await fill()).text).toContain('browser_evaluate ran in this session');

    await begin();
    await open('/name');
    await ask('browser_evaluate', { script: `w = open('/name', 'other'); ${spy('w')}; 1` });
    const beside = { selectors: ['#user'], values: ['secret:bank'], tab: 't2' };
    expect((await ask('browser_fill', beside)).text).toContain('secret_refused');
    await ask('browser_close', { tab: 't1' });
    expect((await ask('browser_fill', beside)).text).toContain('secret_refused');

    await begin();
    await open('/blank');
    await ask('browser_click', { selector: '#open' });
    await ask('browser_navigate', { url: `${site.url}/name`, tab: 't1' });
    await fill();
    const script = { script: 'opener.document.querySelector("#user").value', tab: 't2' };
    expect((await ask('browser_evaluate', script)).text).toContain('script_blocked');
    expectNothingTold();
  });

  describe('in the name of a window, which windows around it may read,', () => {
    const to = () => `?${new URLSearchParams({ to: `${site.url}/named` }).toString()}`;
    const filled = (tab: string) =>
      ask('browser_fill', { selectors: ['#user'], values: ['secret:bank'], tab }).then(({ text }) => text);
    const ran = (tab: string, script = 'document.title') =>
      ask('browser_evaluate', { script, tab }).then(({ text }) => text);
    const REFUSED = 'browser_evaluate ran in this session';
    const BLOCKED = 'script_blocked';

    async function openFrom(path: string, button = '#open'): Promise<void> {
      await begin();
      await ask('browser_navigate', { url: elsewhere() + path });
      await ask('browser_click', { selector: button });
    }

    it('cannot be read by a script that ran in the opener, before or after', async () => {
      for (const isBefore of [true, false]) {
        await openFrom(`/pops${to()}`);
        if (isBefore) expect(await ran('t1', pollsName('other'))).not.toContain(BLOCKED);
        expect((await filled('t2')).includes(REFUSED)).toBe(isBefore);
        if (!isBefore) expect(await ran('t1', pollsName('other'))).toContain(BLOCKED);
        await ask('browser_navigate', { url: `${elsewhere()}/blank`, tab: 't2' });
        await ask('browser_wait', { text: 'never', timeout_ms: 300, tab: 't1' });
        expectNothingTold();
      }
    });

    it('cannot be read by a script in a window that it opened, or that has the same opener', async () => {
      await openFrom(`/pops${to()}`);
      await ask('browser_click', { selector: '#open', tab: 't1' });
      await ask('browser_close', { tab: 't1' });
      expect(await filled('t3')).toContain('Filled');
      await ask('browser_navigate', { url: `${elsewhere()}/blank`, tab: 't2' });
      expect(await ran('t2')).toContain(BLOCKED);

      await begin();
      await ask('browser_navigate', { url: `${site.url}/named` });
      await filled('t1');
      await ask('browser_navigate', { url: `${site.url}/pops?to=${elsewhere()}/blank` });
      await ask('browser_click', { selector: '#open' });
      expect(await ran('t2', pollsName('opener'))).toContain(BLOCKED);
    });

    it('can still be typed despite windows that cannot reach each other, and a script that left with its page', async () => {
      await openFrom(`/pops${to()}`, '#link');
      expect(await ran('t1')).toContain('Pops');
      expect(await filled('t2')).toContain('Filled');
      expect(await ran('t1')).toContain('Pops');
      await openFrom(`/blank`);
      await ran('t1');
      await ask('browser_navigate', { url: `${site.url}/pops${to()}`, tab: 't1' });
      await ask('browser_click', { selector: '#open', tab: 't1' });
      expect(await filled('t3')).toContain(REFUSED);
      await begin();
      await ask('browser_navigate', { url: `${elsewhere()}/name` });
      await ran('t1');
      await ask('browser_navigate', { url: `${site.url}/pops${to()}` });
      await ask('browser_click', { selector: '#open' });
      expect(await filled('t2')).toContain('Filled');
    });
  });

  it('cannot be pasted elsewhere by a middle click after a selection', async () => {
    await open('/name');
    await fill();
    await ask('browser_click', { selector: '#user', click_count: 3 });
    await ask('browser_navigate', { url: `${site.url}/area`, new_tab: true });
    const middle = await ask('browser_click', { selector: '#user', button: 'middle', tab: 't2' });
    expect(middle.text).toContain('a middle click in a text field would paste');
  });
});
