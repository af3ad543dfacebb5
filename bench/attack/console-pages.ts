import { formFields, pageOf } from '#support/oauth-browser.ts';
import type { Rig, Someone } from './rig.ts';
import type { Part, Try } from './try.ts';
import { send } from './wire.ts';
import type { Reply } from './wire.ts';

/** The console of one user, attacked by others, by pages and by models. */
export async function consolePages(rig: Rig): Promise<Part> {
  const marks = await leaveMarks(rig);
  return { name: 'the console of another', tries: [...readings(rig), ...forms(rig), ...scripts(rig, marks)] };
}

const MARK = 'zxqwagtail';
const INJECTED = `"><script>alert('${MARK}')</script><img src=x onerror=alert(1)>'\`\${7*7}{{7*7}}`;

const PAGES = [
  '/console',
  '/console/activity',
  '/console/sessions',
  '/console/session?name=marked',
  '/console/clients',
  '/console/usage',
  '/console/store',
  '/console/tokens',
  '/console/files',
  '/console/secrets',
  '/console/citations',
  '/live/marked',
];

/** Activity of Ana and her models, with markup in every text that they can choose. */
async function leaveMarks({ ana, site }: Rig): Promise<{ cursor: string; picture: string }> {
  const title = INJECTED.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const url = site.page(
    `/marked?q=${encodeURIComponent(INJECTED)}`,
    `<!doctype html><title>${title}</title><h1>${title}</h1><p>One ${MARK} here, and a line of words for a quote.</p>`,
    { 'cache-control': 'private' },
  );
  const { caller } = ana;
  const opened = await caller.call('web_open', { url });
  const cursor = /c_[\w-]{6,}/.exec(opened.text)?.[0] ?? '';
  await caller.call('find', { cursor, pattern: INJECTED });
  await caller.call('web_search', { query: INJECTED });
  await caller.call('cite', { cursor, quote: 'a line of words for a quote', note: INJECTED });
  await caller.call('browser_navigate', { session: 'marked', url });
  await caller.call('browser_click', { session: 'marked', selector: 'h1' });
  await caller.call('browser_files', { session: 'marked', action: 'put', name: `${INJECTED}.html`, text: INJECTED });
  await caller.call('browser_handoff', { session: 'marked', reason: INJECTED });
  await upload(ana, `${MARK}<img src=x onerror=alert(1)>.html`);
  return { cursor, picture: await pictureOf(ana) };
}

/** On a busy machine, a step may have no picture. A later step then has one. */
async function pictureOf({ browser, caller }: Someone): Promise<string> {
  for (let tries = 0; tries < 8; tries += 1) {
    await caller.call('browser_click', { session: 'marked', selector: 'h1' });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const { html } = pageOf(await browser.get(`${browser.origin}/console/session?name=marked`));
    const found = /picture\?id=([\da-f-]{36})/.exec(html)?.[1];
    if (found !== undefined) return found;
  }
  return '';
}

async function upload({ browser }: Someone, name: string): Promise<void> {
  const page = pageOf(await browser.get(`${browser.origin}/console/files`));
  const token = formFields(page.html, '/console/files').find(([field]) => field === 'form')?.[1] ?? '';
  const form = new FormData();
  form.set('form', token);
  form.set('file', new File([`<script>alert('${MARK}')</script>`], name, { type: 'text/html' }));
  await browser.upload('/console/files', form);
}

function cookieOf({ browser }: Someone): string {
  return [...browser.cookies].map((pair) => pair.join('=')).join('; ');
}

function get({ port }: Rig, path: string, headers: Record<string, string> = {}): Promise<Reply> {
  return send(port, { path, headers });
}

function readings(rig: Rig): Try[] {
  const { ana, bob } = rig;
  return [
    ...PAGES.map((path): Try => ({
      name: `${path} without a cookie, for another, and as it may be kept`,
      run: async () => {
        const own = await get(rig, path, { cookie: cookieOf(ana) });
        if (own.status !== 200) return `Ana herself gets ${own.status}`;
        const cache = String(own.headers['cache-control']);
        if (!cache.includes('no-store')) return `it may be kept: ${cache}`;
        if (!String(own.headers['content-security-policy']).includes("frame-ancestors 'none'"))
          return 'it may be framed';
        if (!String(own.headers['x-content-type-options']).includes('nosniff')) return 'its type may be guessed';
        for (const cookie of ['', cookieOf(bob), 'session=x', cookieOf(ana).replaceAll(/=(\w{6})/g, '=x$1')]) {
          const other = await get(rig, path, cookie === '' ? {} : { cookie });
          if (other.body.includes(MARK))
            return `it is shown with ${cookie === '' ? 'no cookie' : 'the cookie of another'}`;
        }
        return null;
      },
    })),
    ...HOSTILE_QUERIES.map((query): Try => ({
      name: `every page with ?${query.slice(0, 40)}`,
      run: async () => {
        for (const path of PAGES) {
          const whole = `${path}${path.includes('?') ? '&' : '?'}${query}`;
          const { status, body } = await get(rig, whole, { cookie: cookieOf(bob) });
          if (status >= 500) return `${path}: HTTP ${status}`;
          if (body.includes(MARK)) return `${path} shows what is Ana's`;
          if (body.includes('<script>alert')) return `${path} writes the query as HTML`;
        }
        return null;
      },
    })),
  ];
}

const HOSTILE_QUERIES = [
  'before=-1&page=-1&day=-1',
  'before=1e309&page=99999999999999999999&before=NaN',
  'before=1&before=2&q=a&q=b&name=a&name=b',
  `q=${encodeURIComponent("' OR 1=1 --")}&client=${encodeURIComponent('%')}&tool=*&day=0000-00-00`,
  `q=${encodeURIComponent('<script>alert(1)</script>')}&name=${encodeURIComponent('<script>alert(1)</script>')}&client=${encodeURIComponent('"><script>alert(1)</script>')}`,
  `q=${'x'.repeat(7_000)}`,
  'name=../../ana/marked&session=../../marked&id=%00',
  '__proto__=1&constructor=2&toString=3',
  'q=%ff%fe%00%c0%af',
];

function forms(rig: Rig): Try[] {
  const { ana, bob, port } = rig;
  const posts: [path: string, fields: Record<string, string>][] = [
    ['/console/activity', { do: 'forget' }],
    ['/console/sessions', { name: 'marked' }],
    ['/console/session?name=marked', { do: 'forget' }],
    ['/console/clients', { client: 'x' }],
    ['/console/store', { do: 'purge', url: 'http://x' }],
    ['/console/tokens', { name: 'x', days: '7', scope: 'web:read' }],
    ['/console/tokens/revoke', { id: 'x' }],
    ['/console/files/delete', { id: 'f_x' }],
    ['/console/secrets', { name: 'forged', sites: 'bank.example', value: 'forged value' }],
    ['/console/secrets/delete', { name: 'bank' }],
    ['/console/citations', { do: 'delete', id: 'x' }],
    ['/console/citations', { do: 'stop', id: 'x' }],
    ['/live/marked', { wake: '1' }],
    ['/sign-out', {}],
  ];
  const tokenOf = async (who: Someone, path: string) => {
    const page = pageOf(await who.browser.get(`${who.browser.origin}${path}`));
    return /name="form" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
  };
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string>) =>
    send(port, {
      method: 'POST',
      path,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
    });
  return posts.map(([path, fields]) => ({
    name: `a form for ${path}, forged`,
    run: async () => {
      const origin = `http://localhost:${port}`;
      const cookie = cookieOf(ana);
      const anas = await tokenOf(ana, '/console/secrets');
      const bobs = await tokenOf(bob, '/console/secrets');
      const cookieNow = cookieOf(ana);
      const ways: [name: string, fields: Record<string, string>, headers: Record<string, string>][] = [
        ['without a token', fields, { cookie, origin }],
        ['with the token of another', { ...fields, form: bobs }, { cookie: cookieNow, origin }],
        ['with a made-up token', { ...fields, form: 'x'.repeat(80) }, { cookie: cookieNow, origin }],
        ['without a cookie', { ...fields, form: anas }, { origin }],
        ['from another origin', { ...fields, form: anas }, { cookie: cookieNow, origin: 'https://evil.example' }],
        ['from a page without an origin', { ...fields, form: anas }, { cookie: cookieNow, origin: 'null' }],
        [
          'from another site by its headers',
          { ...fields, form: anas },
          { cookie: cookieNow, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
        ],
      ];
      for (const [name, sent, headers] of ways) {
        const { status, body } = await post(path, sent, headers);
        if (status < 400 && !(path === '/sign-out' && name === 'without a cookie')) return `${name}: HTTP ${status}`;
        if (status >= 500) return `${name}: HTTP ${status}: ${body.slice(0, 100)}`;
      }
      return null;
    },
  }));
}

function scripts(rig: Rig, { cursor, picture }: { cursor: string; picture: string }): Try[] {
  const { ana, bob } = rig;
  const unsafe = ({ html }: { html: string }) => {
    if (/<script>alert|<img src=x/i.test(html)) return 'the words of a page are written as HTML';
    if (/href="(?:javascript|data|vbscript):/i.test(html)) return 'a link runs a script';
    return null;
  };
  return [
    ...PAGES.concat(`/c/${cursor}/L1`).map((path): Try => ({
      name: `${path} with markup in all that is listed`,
      run: async () => unsafe(pageOf(await ana.browser.get(`${ana.browser.origin}${path}`))),
    })),
    {
      name: 'control: the markup is listed at all',
      run: async () => {
        const { html } = pageOf(await ana.browser.get(`${ana.browser.origin}/console/activity`));
        return html.includes(MARK) ? null : 'it is not: nothing is shown by this';
      },
    },
    {
      name: 'the citation page and the picture of a step of another',
      run: async () => {
        if (cursor === '' || picture === '') return 'there is none: nothing is shown by this';
        for (const path of [`/c/${cursor}/L1`, `/c/${cursor}`, `/console/session/picture?id=${picture}`]) {
          if ((await get(rig, path, { cookie: cookieOf(ana) })).status !== 200)
            return `Ana herself does not get ${path}`;
          for (const headers of [{}, { cookie: cookieOf(bob) }]) {
            const reply = await get(rig, path, headers);
            const isPicture = String(reply.headers['content-type']).includes('image');
            if (isPicture || reply.body.includes(MARK)) return `${path} is shown`;
          }
        }
        return null;
      },
    },
    {
      name: 'quotes that were never shared, or have other ids',
      run: async () => {
        for (const id of ['x', '.'.repeat(22), 'A'.repeat(22), '%00', '../c/x', "'".repeat(22), 'A'.repeat(5_000)]) {
          const { status } = await get(rig, `/q/${encodeURIComponent(id)}`);
          if (status !== 404 && status !== 400) return `${id.slice(0, 30)}: HTTP ${status}`;
        }
        return null;
      },
    },
  ];
}
