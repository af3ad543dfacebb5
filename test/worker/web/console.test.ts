import { partNamed } from '#core/objects.ts';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { deploymentIdentity } from '#auth/people/principal.ts';
import { COPY_SCRIPT } from '#generated/copy-script.ts';
import { cacheUri } from '#mcp/resource-uris.ts';
import { CONSOLE_LINKS } from '#web/console/console-page.tsx';
import { grantFor, grantTokens, oauthApi } from '#support/grants.ts';
import { callTool, rpc, structured } from '#support/mcp-call.ts';
import { formFields, leftTo, pageOf, textOf } from '#support/oauth-browser.ts';
import type { Browser, Shown } from '#support/oauth-browser.ts';
import {
  allow,
  authorizationRequest,
  connect,
  consentPage,
  ORIGIN,
  PASSPHRASE,
  personsBrowser,
  register,
} from '#support/oauth-journey.ts';
import { signInObject } from '#support/stored-people.ts';

const PLACES = [
  ...CONSOLE_LINKS.map(({ path }) => path),
  '/console/tokens',
  '/console/activity/open?line=1',
  '/console/session?name=shared/x',
  '/console/session/picture?id=0b7ee6ab-6f35-4d3b-9c0e-0c0c0c0c0c0c',
  '/console/store?q=alarm&page=0',
];
const HOSTILE = 'x\u202e</a><script>alert(1)</script>"\'';

let owner: Browser;
let subject = '';
beforeAll(async () => {
  owner = await signedIn();
  subject = (await deploymentIdentity(signInObject())).ownerSubject;
});

async function signedIn(): Promise<Browser> {
  const browser = personsBrowser();
  await browser.submit(pageOf(await browser.get(`${ORIGIN}/sign-in`)), '/sign-in', { passphrase: PASSPHRASE });
  return browser;
}

const see = async (path: string, browser = owner): Promise<Shown> => pageOf(await browser.get(ORIGIN + path));
const historyOf = (who: string) => partNamed(env.PERSON_STORE, who, 'history');

/** Activity is written behind the answer of a call. */
async function seeOnce(path: string, text: string): Promise<Shown> {
  return vi.waitFor(
    async () => {
      const page = await see(path);
      expect(textOf(page.html)).toContain(text);
      return page;
    },
    { timeout: 60_000, interval: 200 },
  );
}

/** The token of its forms: that of any. */
function formOf({ html }: Shown): string {
  return formFields(html, '/sign-out').find(([name]) => name === 'form')?.[1] ?? '';
}

describe('every page of the console', () => {
  it.each(PLACES)('redirects signed-out visitors to the sign-in, and back: %s', async (place) => {
    const browser = personsBrowser();
    const asked = await see(place, browser);
    expect(new URL(asked.url).pathname).toBe('/sign-in');
    const back = pageOf(await browser.submit(asked, '/sign-in', { passphrase: PASSPHRASE }));
    expect(back.url).toBe(ORIGIN + place);
    expect(back.headers.get('cache-control')).toBe('no-store');
  });

  it.each(PLACES.filter((place) => !/open|picture|session\?/.test(place)))(
    'has the same navigation, and marks the current page: %s',
    async (place) => {
      const { html, status } = await see(place);
      expect(status).toBe(200);
      const nav = /<nav class="console" [^>]*>(.*?)<\/nav>/su.exec(html)?.[1] ?? '';
      expect([...nav.matchAll(/href="([^"]+)"/gu)].map(([, to]) => to)).toEqual(
        expect.arrayContaining(['/console', '/console/activity', '/console/sessions', '/console/usage']),
      );
      expect(nav.match(/aria-current="page"/gu)).toHaveLength(1);
      expect(nav).toContain('<bdi>Owner</bdi></b><a href="/console/account"');
      expect(html.replace(`<script>${COPY_SCRIPT}</script>`, '')).not.toMatch(/<script/u);
    },
  );

  it.each(['/console/activity', '/console/sessions', '/console/session?name=x', '/console/clients'])(
    'accepts no form of another site, without its token, or from a stranger: %s',
    async (place) => {
      const page = await see('/console/activity');
      const fields: [string, string][] = [
        ['form', formOf(page)],
        ['do', 'off'],
      ];
      const forged: [string, string][] = [
        ['form', 'forged'],
        ['do', 'off'],
      ];
      expect(pageOf(await owner.post(place, fields, { origin: 'https://evil.acme.dev' })).status).toBe(403);
      expect(pageOf(await owner.post(place, fields, { origin: 'null' })).status).toBe(403);
      expect(pageOf(await owner.post(place, forged)).status).toBe(403);
      expect(pageOf(await personsBrowser().post(place, fields)).status).toBe(403);
      expect(await historyOf(subject).wish()).toEqual({ activity: true, pictures: true });
    },
  );
});

describe('the activity page', () => {
  it('has a line for each call, which links to the result that the model saw', async () => {
    const listed = structured(await callTool('modern', 'search', { query: 'alarm walrus' }));
    const opened = structured(
      await callTool('modern', 'open_url', { url: 'https://docs.acme.dev/alarms', loc: 2, num_lines: 20 }),
    );
    await callTool('modern', 'cite', {
      cursor: opened['cursor'],
      quote: 'An alarm wakes a durable object at a set time.',
    });
    await vi.waitFor(
      async () => {
        const [newest] = (await historyOf(subject).deeds({}, null, 1)).deeds;
        expect([newest?.kind, newest?.cursor]).toEqual(['cite', opened['cursor']]);
      },
      { timeout: 60_000, interval: 200 },
    );
    const page = await see('/console/activity');
    const lines = [...page.html.matchAll(/<a href="(\/console\/activity\/open\?line=\d+)"><bdi>(.*?)<\/bdi>/gsu)];
    const places = await Promise.all(
      lines.slice(0, 3).map(async ([, to = '']) => new URL((await see(to)).url).pathname),
    );
    expect(places).toEqual([
      `/c/${String(opened['cursor'])}/L2-L2`,
      `/c/${String(opened['cursor'])}/L2-L5`,
      `/c/${String(listed['cursor'])}`,
    ]);
    expect(textOf(page.html)).toContain('“alarm walrus”');
    expect(textOf((await see('/console/activity?kind=read')).html)).not.toContain('“alarm walrus”');
    expect(textOf((await see('/console/activity?kind=cite')).html)).not.toContain('“alarm walrus”');
    expect(textOf((await see('/console/activity?q=WALRUS')).html)).toContain('“alarm walrus”');
    expect(textOf((await see('/console/activity?q=%25')).html)).toContain('No calls match.');
    expect(textOf((await see('/console/activity?kind=search&day=2001-01-01')).html)).toContain('No calls match.');
    expect(textOf((await see('/console/activity?client=nobody')).html)).toContain('No calls match.');
  });

  it('still links to a page whose cursor has expired, and reports if its text is gone', async () => {
    const { cursor } = structured(await callTool('modern', 'open_url', { url: 'https://docs.acme.dev/notes.md' }));
    const line = await vi.waitFor(
      async () => {
        const [deed] = (await historyOf(subject).deeds({}, null, 1)).deeds;
        expect(deed?.cursor).toBe(cursor);
        return deed;
      },
      { timeout: 60_000, interval: 200 },
    );
    const deed = { ...line, id: 'over.0', cursor: 'c_0000000000000000' };
    const gone = { ...line, id: 'gone.0', cursor: null, documentId: 'f'.repeat(64) };
    await historyOf(subject).note([deed, gone] as Parameters<ReturnType<typeof historyOf>['note']>[0], 86_400_000);
    const [missing, over] = (await historyOf(subject).deeds({}, null, 2)).deeds;
    const again = await see(`/console/activity/open?line=${over?.seq}`);
    expect(again.url).toMatch(/\/c\/c_[a-z0-9]{16}\/L0-/);
    expect(again.url).not.toContain('c_0000000000000000');
    const away = await see(`/console/activity/open?line=${missing?.seq}`);
    expect([away.status, textOf(away.html)]).toEqual([404, expect.stringContaining('no longer stored')]);
  });

  it('has a line for a stored page that a host reads as a resource', async () => {
    const opened = structured(await callTool('modern', 'web_open', { url: 'https://guide.acme.dev/start' }));
    await rpc('modern', 'resources/read', { uri: cacheUri(String(opened['snapshot'])) });
    const page = await seeOnce('/console/activity', 'resources/read');
    const [, to = ''] =
      /href="(\/console\/activity\/open\?line=\d+)"(?:(?!open\?line).)*resources\/read<\/code>/su.exec(page.html) ?? [];
    expect((await see(to)).url).toMatch(/\/c\/c_[a-z0-9]{16}$/);
  });

  it('does not show the lines of other users', async () => {
    const token = await grantFor('somebody-else', ['web:read']);
    await callTool('modern', 'search', { query: 'the secret of somebody else' }, { token });
    await vi.waitFor(async () => expect((await historyOf('somebody-else').deeds({}, null, 5)).deeds).toHaveLength(1), {
      timeout: 60_000,
      interval: 200,
    });
    expect(textOf((await see('/console/activity')).html)).not.toContain('the secret of somebody else');
    for (const line of ['999999999', '-1', '1e3', "1' OR 1=1"]) {
      expect((await see(`/console/activity/open?line=${encodeURIComponent(line)}`)).status).toBe(404);
    }
  });

  it('shows hostile words and titles as text, and URLs without their secrets', async () => {
    await callTool('modern', 'search', { query: HOSTILE });
    await callTool('modern', 'open_url', { url: 'https://docs.acme.dev/none?token=sesame-opens-every-door' });
    const title = HOSTILE.replaceAll('<', '&lt;');
    await fetch('https://board.acme.dev/page', {
      method: 'POST',
      body: `<title>${title}</title><p>Some words to read.</p>`,
    });
    await callTool('modern', 'open_url', { url: 'https://board.acme.dev/page?<b>"\'' });
    const page = await seeOnce('/console/activity', 'board.acme.dev');
    expect(page.html).toContain('token=REDACTED');
    expect(textOf(page.html)).toMatch(/Failed \( http_error \): \S+token=REDACTED answered HTTP 404\./u);
    expect(page.html).toContain('&lt;script&gt;alert(1)');
    expect(page.html).not.toMatch(/<script|\u202e|sesame/u);
  });

  it('is paged, and every line is on one of its pages', async () => {
    const line = (await historyOf(subject).deeds({}, null, 1)).deeds[0];
    const many = Array.from({ length: 120 }, (_, index) => ({
      ...line,
      id: `many.${index}`,
      kind: 'read',
      cursor: 'c_0000000000000000',
      error: null,
    }));
    await historyOf(subject).note(many as Parameters<ReturnType<typeof historyOf>['note']>[0], 86_400_000);
    const seen = new Set<string>();
    let next: string | undefined = '/console/activity?kind=read';
    while (next !== undefined) {
      const { html }: Shown = await see(next);
      for (const [, seq = ''] of html.matchAll(/open\?line=(\d+)/gu)) seen.add(seq);
      next = /<a href="([^"]+)">Older calls/u.exec(html)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(seen.size).toBeGreaterThanOrEqual(120);
  });

  it('can be emptied, switched off and on by its user', async () => {
    const page = await see('/console/activity');
    const press = async (deed: string) =>
      pageOf(
        await owner.post('/console/activity', [
          ['form', formOf(page)],
          ['do', deed],
        ]),
      );
    expect(textOf((await press('forget')).html)).toContain('There is nothing yet.');
    expect(textOf((await press('off')).html)).toContain('You have turned activity off');
    await callTool('modern', 'search', { query: 'unseen' });
    expect((await historyOf(subject).deeds({}, null, 5)).deeds).toEqual([]);
    expect(textOf((await press('on')).html)).toContain('There is nothing yet.');
    expect((await press('sideways')).status).toBe(409);
  });
});

describe('clients in the console', () => {
  it('are listed with their permissions and last use, and lose all their tokens when disconnected', async () => {
    const browser = await signedIn();
    const client = await register({ client_name: HOSTILE });
    const tokens = await connect(browser, client, 'web:read');
    await rpc('modern', 'tools/list', {}, { token: tokens.access_token });
    await callTool('modern', 'search', { query: 'anything' }, { token: tokens.access_token });
    const page = await seeOnce('/console/clients', 'Last used');
    expect(page.html).toContain('&lt;script&gt;');
    expect(page.html).not.toMatch(/<script|\u202e/u);
    expect(textOf(page.html)).toContain('not verified');
    expect(textOf((await seeOnce('/console/activity', 'client.acme.dev “')).html)).toMatch(
      /client\.acme\.dev “x<\/a>[^”]*” \d+ calls?/u,
    );
    const gone = pageOf(
      await owner.post('/console/clients', [
        ['form', formOf(page)],
        ['client', client.id],
      ]),
    );
    expect(gone.html).not.toContain('&lt;script&gt;');
    expect(textOf((await see('/console/activity')).html)).toMatch(/client\.acme\.dev “x<\/a>[^”]*” \(disconnected\)/u);
    const refused = await callTool('modern', 'search', { query: 'anything' }, { token: tokens.access_token });
    expect(JSON.stringify(refused)).toContain('invalid_token');
    expect((await oauthApi().listUserGrants(subject)).items.filter((one) => one.clientId === client.id)).toEqual([]);
  });

  it('need consent again once they are disconnected, even if the user had turned questions off', async () => {
    const browser = await signedIn();
    const client = await register({ client_name: 'Quiet' });
    const { url } = await authorizationRequest(client);
    leftTo(await allow(browser, await consentPage(browser, url), { quiet: 'yes' }));
    leftTo(await browser.get(url));
    await owner.post('/console/clients', [
      ['form', formOf(await see('/console/clients'))],
      ['client', client.id],
    ]);
    expect(textOf(pageOf(await browser.get(url)).html)).toContain('Give access to client.acme.dev');
  });

  it('of other users are neither shown nor disconnected', async () => {
    const { client, access_token: token } = await grantTokens('another-person', ['web:read']);
    const page = await see('/console/clients');
    expect(page.html).not.toContain(client.id);
    const answer = pageOf(
      await owner.post('/console/clients', [
        ['form', formOf(await see('/console/activity'))],
        ['client', client.id],
      ]),
    );
    expect([answer.status, textOf(answer.html)]).toEqual([409, expect.stringContaining('no longer connected')]);
    structured(await callTool('modern', 'search', { query: 'anything' }, { token }));
  });
});

describe('the usage page', () => {
  it('shows a sentence when there is no usage, not an empty plot', async () => {
    const page = await see('/console/usage');
    expect(textOf(page.html)).toContain('Browser minutes by hour: none in this time.');
    expect(page.html).not.toContain('Browser minutes by hour as a table');
  });

  it('draws budgets and calls, each with a table of its numbers', async () => {
    structured(await callTool('modern', 'open_url', { url: 'https://docs.acme.dev/alarms' }));
    const page = await seeOnce('/console/usage', 'open_url');
    expect(page.html).toMatch(/<svg[^>]*aria-hidden="true">.*<rect class="bar"/su);
    expect(page.html).toContain('Your calls by day as a table');
    expect(textOf(page.html)).toContain('Everyone on this server');
    expect(textOf(page.html)).toMatch(/Browser minutes 0 \d/);
  });
});

describe('unknown sessions', () => {
  it('have no page, no steps and no picture', async () => {
    expect(textOf((await see('/console/sessions')).html)).toMatch(/No sessions yet|has no browser/);
    for (const name of ['none', '', 'shared/none', '../x', HOSTILE]) {
      const page = await see(`/console/session?${new URLSearchParams({ name }).toString()}`);
      expect([page.status, page.html.includes('<script')]).toEqual([404, false]);
    }
    await historyOf('somebody-else').keepStep(
      {
        id: '0b7ee6ab-6f35-4d3b-9c0e-0c0c0c0c0c0c',
        session: 'theirs',
        at: Date.now(),
        what: 'click',
        url: null,
        title: null,
        error: null,
        without: null,
      },
      new Uint8Array([1, 2, 3]),
    );
    expect((await see('/console/session/picture?id=0b7ee6ab-6f35-4d3b-9c0e-0c0c0c0c0c0c')).status).toBe(404);
    expect((await see('/console/session?name=theirs')).status).toBe(404);
  });
});

describe('the store in the console', () => {
  const SECRET_PAGE = 'https://board.acme.dev/page?token=sesame-opens-every-door';

  it('is searched, opened at the words, and emptied by the owner', async () => {
    structured(await callTool('modern', 'open_url', { url: 'https://docs.acme.dev/alarms' }));
    expect(textOf((await see('/console/store')).html)).toContain('docs.acme.dev/alarms');
    const found = await see('/console/store?q=durable+object+alarm');
    const link = /href="(\/console\/store\/open\?document=[0-9a-f]{64}[^"]*)"/u.exec(found.html)?.[1] ?? '';
    const opened = await see(link.replaceAll('&amp;', '&'));
    expect(new URL(opened.url).pathname).toMatch(/^\/c\/c_[a-z0-9]{16}\/L\d+-L\d+$/);
    expect(textOf(opened.html)).toContain('An alarm wakes a durable object at a set time.');
    const [, snapshot = ''] = /name="snapshot" value="([0-9a-f]{64})"/u.exec(found.html) ?? [];
    const gone = pageOf(
      await owner.post('/console/store', [
        ['form', formOf(found)],
        ['do', 'delete'],
        ['snapshot', snapshot],
      ]),
    );
    expect(textOf(gone.html)).toContain('Deleted.');
    expect(textOf((await see('/console/store?q=durable+object+alarm')).html)).not.toContain('docs.acme.dev/alarms');
  });

  it('does not show stored pages to other users, or let them delete the pages', async () => {
    const token = await grantFor('keeps-secrets', ['web:read']);
    await fetch('https://board.acme.dev/page', {
      method: 'POST',
      body: '<h1>Plans</h1><p>The zebra moves at dawn.</p>',
    });
    structured(await callTool('modern', 'open_url', { url: SECRET_PAGE }, { token }));
    const row = await env.DB.prepare(
      `SELECT snapshots.key, documents.id, documents.owner FROM snapshots JOIN documents ON documents.id = document_id
       WHERE snapshots.url = ?`,
    )
      .bind(SECRET_PAGE)
      .first<{ key: string; id: string; owner: string }>();
    expect(row?.owner).toBe('keeps-secrets');
    expect(textOf((await see('/console/store?q=zebra+dawn')).html)).toContain('No stored page has these words.');
    const opened = await see(`/console/store/open?document=${row?.id}`);
    expect([opened.status, opened.html.includes('zebra')]).toEqual([404, false]);
    const answer = pageOf(
      await owner.post('/console/store', [
        ['form', formOf(await see('/console/activity'))],
        ['snapshot', row?.key ?? ''],
      ]),
    );
    expect([answer.status, textOf(answer.html)]).toEqual([409, expect.stringContaining('no such page')]);
    const kept = await env.DB.prepare('SELECT 1 FROM snapshots WHERE key = ?').bind(row?.key).first();
    expect(kept).not.toBeNull();
  });

  it.each(['"', '%', HOSTILE, 'a'.repeat(5_000), '\u0000'])('accepts any words: %j', async (words) => {
    const page = await see(`/console/store?${new URLSearchParams({ q: words }).toString()}`);
    expect([200, 409]).toContain(page.status);
    expect(page.html).not.toMatch(/<script|\u202e/u);
  });
});
