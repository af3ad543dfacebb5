import { setTimeout as sleep } from 'node:timers/promises';
import { formFields, pageOf } from '#support/oauth-browser.ts';
import { send } from '#support/origin.ts';
import type { Origin } from '#support/origin.ts';
import type { Rig, Someone } from './rig.ts';
import { WAYS } from './rules-ways.ts';
import type { Way } from './rules-ways.ts';
import type { Part, Try } from './try.ts';
import type { Answer } from './wire.ts';

/**
 * Ways to cause an effect where models may only look. The sites count effects: any request but a GET, and sockets.
 * Under the name `localhost`, the same pages may do everything, which shows that a way works at all.
 */
export async function ruleEffects(rig: Rig): Promise<Part> {
  routes(rig);
  await setRule(rig.ana, '127.0.0.1', 'read');
  const ways = WAYS.filter(({ needsClick }) => needsClick !== true);
  const all = ways.flatMap((way) => TRIGGERS.map((trigger) => pageTry(rig, way, trigger)));
  return { name: 'effects past a rule', tries: [...all, lateTry(rig), ...callTries(rig), ...otherTries(rig)] };
}

const SESSION = 'ruled';
/** The longest wait of a way is six seconds. */
const EFFECT_WAIT_MS = 1_500;
const LATE_WAIT_MS = 7_500;
const SOON_WAIT_MS = 300;
/** Longest wait for the page's attempt, and for an effect where everything is allowed, on a busy machine. */
const RUN_MS_MAX = 8_000;

const HOVER = '<p><button id="b" onmouseenter="run()">Hover here</button></p>';
const LONG = '<div style="height:4000px">long</div>';

type Trigger = {
  name: string;
  body: string;
  script: string;
  calls: readonly (readonly [string, Record<string, unknown>])[];
};

const TRIGGERS: readonly Trigger[] = [
  { name: 'at load', body: '', script: `addEventListener('load', () => setTimeout(run, 50));`, calls: [] },
  { name: 'on hover', body: HOVER, script: '', calls: [['browser_point', { action: 'hover', selector: '#b' }]] },
  {
    name: 'on scroll',
    body: LONG,
    script: `addEventListener('scroll', () => run(), { once: true });`,
    calls: [['browser_scroll', {}]],
  },
];

let count = 0;

export function routes({ site, other }: Rig): void {
  for (const one of [site, other]) {
    const { routes: table } = one;
    table['/blank'] = send('<title>Blank</title>blank');
    table['/worker.js'] = send(`fetch(location.search.slice(1), { method: 'POST', body: 'x' })`, {
      'content-type': 'text/javascript',
    });
    table['/socket'] = send(`<script>new WebSocket(location.search.slice(1))</script>`);
    table['/again'] = (request, response) =>
      void response.writeHead(307, { location: (request.url ?? '').replace('/again?', '') }).end();
    table['/late'] = (request, response) => {
      const location = (request.url ?? '').replace('/late?', '');
      setTimeout(() => void response.writeHead(307, { location }).end(), 6_000);
    };
    table['/auto'] = send(
      `<form id="f" method="post"><input name="a" value="1"></form><script>f.action = location.search.slice(1); f.submit()</script>`,
    );
  }
}

/** The page of a way, at an address of this host. */
function writePage(site: Rig['site'], base: string, other: string, way: Way, trigger: Trigger): string {
  const path = `/rules/${(count += 1)}`;
  const fill = (text: string) =>
    text
      .replaceAll('SINK', `${base}/sink/${count}`)
      .replaceAll('OTHER', `${other}/sink/${count}`)
      .replaceAll('SOCKET', `${base.replace('http', 'ws')}/sink/${count}`);
  const html = `<!doctype html><title>Way</title><body>${fill(way.body ?? '')}${trigger.body}<script>${fill(way.script)}${runScript(count)}${trigger.script}</script>`;
  const headers = Object.fromEntries(Object.entries(way.headers ?? {}).map(([name, value]) => [name, fill(value)]));
  site.page(path, html, headers);
  return base + path;
}

/** The page reports its attempt with a GET. */
export function runScript(page: number | string): string {
  return `const run = () => { fetch('/ran/${page}', { keepalive: true }); go() };`;
}

/** @returns true once the page has made its attempt and some time has passed */
export async function hasRun(origins: readonly Origin[], page: number | string, waitMs: number): Promise<boolean> {
  for (const end = Date.now() + RUN_MS_MAX; Date.now() < end; await sleep(50)) {
    if (!origins.some(({ requests }) => requests.some(({ path }) => path === `/ran/${page}`))) continue;
    await sleep(waitMs);
    return true;
  }
  return false;
}

function effectsIn(origins: readonly Origin[], from: readonly number[]): string[] {
  return origins.flatMap(({ requests }, at) =>
    requests
      .slice(from[at])
      .filter(({ method, headers }) => !/^(?:GET|HEAD|OPTIONS)$/u.test(method) || headers.upgrade !== undefined)
      .map(({ method, path }) => `${method} ${path}`),
  );
}

async function effectsOf({ site, other }: Rig, waitMs: number, work: () => Promise<void>): Promise<string[]> {
  const from = [site.requests.length, other.requests.length];
  await work();
  await sleep(waitMs);
  return effectsIn([site, other], from);
}

function pageTry(rig: Rig, way: Way, trigger: Trigger): Try {
  const { site, other, ana } = rig;
  const free = `http://localhost:${new URL(other.url).port}`;
  const { waitMs = SOON_WAIT_MS } = way;
  const drive = async (url: string) => {
    await call(ana, 'browser_navigate', { url });
    for (const [tool, args] of trigger.calls) await call(ana, tool, args);
    return hasRun([site, other], count, waitMs);
  };
  return {
    name: `${way.name} ${trigger.name}`,
    run: async () => {
      const hasTried = await drive(writePage(site, site.url, free, way, trigger));
      const ruled = effectsOfPage(rig, count);
      if (ruled.length > 0) return `arrived: ${ruled.join(', ')}`;
      // Loads the same page where everything is allowed, once for each way.
      if (!hasTried) return 'the page did not try';
      if (trigger.calls.length > 0) return null;
      // A page of an unrestricted site must not send to the restricted one, so the other site is its own site here.
      await drive(writePage(other, free, free, way, trigger));
      freePages.add(count);
      const end = Date.now() + RUN_MS_MAX;
      while (effectsOfPage(rig, count).length === 0 && Date.now() < end) await sleep(50);
      const allowed = effectsOfPage(rig, count);
      if (way.opensWindows === true) await ana.caller.call('browser_close', { session: SESSION });
      return allowed.length === 0 ? 'does nothing where everything is allowed' : null;
    },
  };
}

const freePages = new Set<number>();

function effectsOfPage({ site, other }: Rig, page: number): string[] {
  return effectsIn([site, other], [0, 0]).filter(
    (effect) => / \S*\/sink\/(\d+)(?:\?|$)/u.exec(effect)?.[1] === String(page),
  );
}

/** A request that a page sends after the next page has opened. */
function lateTry(rig: Rig): Try {
  return {
    name: 'nothing arrives later: at load, on hover, on scroll',
    run: async () => {
      await sleep(LATE_WAIT_MS);
      const ruled = Array.from({ length: count }, (_, at) => at + 1).filter((page) => !freePages.has(page));
      const late = ruled.flatMap((page) => effectsOfPage(rig, page));
      return late.length === 0 ? null : `arrived: ${late.join(', ')}`;
    },
  };
}

/** Calls that a rule refuses on any page. */
function callTries(rig: Rig): Try[] {
  const { site, ana } = rig;
  const body = `<form method="post" action="/sink/call"><input id="t" name="t"><input type="checkbox" id="c" onchange="fetch('/sink/c', { method: 'POST' })">
    <select id="s" onchange="fetch('/sink/s', { method: 'POST' })"><option>a<option>b</select><input type="file" id="u" onchange="fetch('/sink/u', { method: 'POST' })"><button id="b">Send</button></form>
    <p draggable="true" id="d1">one</p><p id="d2">two</p>`;
  const url = site.page('/rules/calls', `<!doctype html><title>Calls</title><body>${body}`);
  const calls: readonly (readonly [string, Record<string, unknown>])[] = [
    ['browser_click', { selector: '#b' }],
    ['browser_type', { selector: '#t', text: 'x', submit: true }],
    ['browser_type', { key: 'Enter' }],
    ['browser_type', { selector: '#b', key: 'Space' }],
    ['browser_fill', { selectors: ['#t'], values: ['x'] }],
    ['browser_fill', { selectors: ['#c'], values: ['true'] }],
    ['browser_fill', { selectors: ['#s'], values: ['b'] }],
    ['browser_point', { action: 'click', selector: '#b' }],
    ['browser_point', { action: 'double_click', selector: '#b' }],
    ['browser_point', { action: 'right_click', selector: '#b' }],
    ['browser_point', { action: 'drag', selector: '#d1', to_selector: '#d2' }],
    ['browser_evaluate', { script: `fetch('/sink/e', { method: 'POST' })` }],
    ['browser_do', { steps: ['click "Send"'] }],
    ['browser_do', { steps: ['scroll down', 'fill #t with x', 'press Enter'] }],
    ['browser_do', { steps: ['hover "Send"', 'press Space'] }],
    ['browser_files', { action: 'put', selector: '#u', name: 'x.txt', text: 'x' }],
  ];
  return calls.map(([tool, args]) => ({
    name: `${tool} ${JSON.stringify(args)}`,
    run: async () => {
      let answer: Answer | null = null;
      const effects = await effectsOf(rig, EFFECT_WAIT_MS, async () => {
        await call(ana, 'browser_navigate', { url });
        answer = await call(ana, tool, args);
      });
      if (effects.length > 0) return `arrived: ${effects.join(', ')}`;
      const text = textOf(answer);
      return /blocked_by_rule|A rule of the user lets models only look/u.test(text)
        ? null
        : `was not refused by the rule: ${text.slice(0, 150)}`;
    },
  }));
}

function otherTries(rig: Rig): Try[] {
  const { site, other, ana } = rig;
  const free = `http://localhost:${new URL(other.url).port}`;
  const act = (name: string, body: string, calls: readonly (readonly [string, Record<string, unknown>])[]): Try => ({
    name,
    run: async () => {
      const path = `/rules/other/${(count += 1)}`;
      other.page(path, `<!doctype html><title>Free</title><body>${body}`);
      const from = site.requests.length;
      await effectsOf(rig, EFFECT_WAIT_MS, async () => {
        await call(ana, 'browser_navigate', { url: free + path });
        for (const [tool, args] of calls) await call(ana, tool, args);
      });
      await ana.caller.call('browser_close', { session: SESSION });
      const arrived = effectsIn([site], [from]);
      return arrived.length === 0 ? null : `arrived: ${arrived.join(', ')}`;
    },
  });
  site.page(
    '/rules/inner',
    `<!doctype html><form method="post" action="/sink/inner"><input id="t" name="t" autofocus><button id="b">Send</button></form>`,
  );
  const frame = `<iframe id="fr" src="${site.url}/rules/inner" style="width:400px;height:200px"></iframe>`;
  return [
    act('a click in a frame of a site to look at', frame, [['browser_click', { selector: 'button "Send"' }]]),
    act('a click at a point of such a frame', frame, [
      ['browser_screenshot', {}],
      ['browser_point', { action: 'click', x: 230, y: 30 }],
    ]),
    act(
      'keys that the page sends into such a frame',
      `<input id="mine">${frame}<script>mine.onkeydown = () => fr.focus()</script>`,
      [['browser_type', { selector: '#mine', text: 'abc', slowly: true, submit: true }]],
    ),
    act(
      'Enter without a field, with the focus in such a frame',
      `${frame}<script>fr.onload = () => fr.focus()</script>`,
      [['browser_type', { key: 'Enter' }]],
    ),
    act(
      'a form of another site',
      `<form id="f" method="post" action="${site.url}/sink/csrf"><input name="a"><button id="b">Go</button></form>`,
      [['browser_click', { selector: '#b' }]],
    ),
    act(
      'a form of another site into a window',
      `<form method="post" target="_blank" action="${site.url}/sink/csrf"><button id="b">Go</button></form>`,
      [['browser_click', { selector: '#b' }]],
    ),
    act(
      'fetch of another site',
      `<button id="b" onclick="fetch('${site.url}/sink/csrf', { method: 'POST', mode: 'no-cors', body: 'x' })">Go</button>`,
      [['browser_click', { selector: '#b' }]],
    ),
    act(
      'sendBeacon of another site',
      `<button id="b" onclick="navigator.sendBeacon('${site.url}/sink/csrf', 'x')">Go</button>`,
      [['browser_click', { selector: '#b' }]],
    ),
    act('a script of a model on another site', '', [
      [
        'browser_evaluate',
        {
          script: `return fetch('${site.url}/sink/csrf', { method: 'POST', mode: 'no-cors', body: 'x' }).then(() => 1, () => 0)`,
        },
      ],
    ]),
    act(
      'a cover that moves away at the press',
      `<div style="position:relative">${frame}<button id="b" style="position:absolute;left:0;top:0;width:400px;height:200px" onpointerdown="this.remove()">Go</button></div>`,
      [['browser_click', { selector: '#b' }]],
    ),
    dialogTry(rig),
    reloadTry(rig),
  ];
}

/** A page that asks for confirmation of a purchase, and a model that confirms. */
function dialogTry(rig: Rig): Try {
  const { site, ana } = rig;
  const url = site.page(
    '/rules/dialog',
    `<title>Ask</title><button id="b" onmouseenter="if (confirm('Buy?')) fetch('/sink/yes', { method: 'POST' })">x</button>`,
  );
  return {
    name: 'consent to a dialog',
    run: async () => {
      let answer: Answer | null = null;
      const effects = await effectsOf(rig, EFFECT_WAIT_MS, async () => {
        await call(ana, 'browser_navigate', { url });
        answer = await call(ana, 'browser_point', { action: 'hover', selector: '#b', dialog: 'accept' });
      });
      if (effects.length > 0) return `arrived: ${effects.join(', ')}`;
      return textOf(answer).includes('blocked_by_rule') ? null : 'was not refused by the rule';
    },
  };
}

/** The answer to a form that was sent before the rule, and a model that reloads it. */
function reloadTry(rig: Rig): Try {
  const { other, ana } = rig;
  const free = `http://localhost:${new URL(other.url).port}`;
  other.page(
    '/rules/before',
    `<title>Before</title><form method="post" action="/rules/after"><input name="a"><button id="b">Go</button></form>`,
  );
  other.page('/rules/after', `<title>After</title>sent`);
  return {
    name: 'a form that is sent again by a reload, after the rule was made',
    run: async () => {
      await call(ana, 'browser_navigate', { url: `${free}/rules/before` });
      await call(ana, 'browser_click', { selector: '#b' });
      await setRule(ana, 'localhost', 'read');
      const reloaded = await effectsOf(rig, EFFECT_WAIT_MS, async () => {
        await call(ana, 'browser_navigate', { history: 'reload' });
        await call(ana, 'browser_navigate', { history: 'back' });
        await call(ana, 'browser_navigate', { history: 'forward' });
      });
      await setRule(ana, 'localhost', 'act');
      await ana.caller.call('browser_close', { session: SESSION });
      return reloaded.length === 0 ? null : `arrived: ${reloaded.join(', ')}`;
    },
  };
}

function textOf(answer: Answer | null): string {
  return answer === null ? '' : answer.text || answer.body;
}

function call({ caller }: Someone, tool: string, args: Record<string, unknown>): Promise<Answer> {
  return caller.call(tool, { session: SESSION, ...args });
}

/** Sets a rule in the console, as a user does. */
export async function setRule({ browser }: Someone, site: string, level: string): Promise<void> {
  const { html } = pageOf(await browser.get(`${browser.origin}/console/rules`));
  const form = formFields(html, '/sign-out').find(([name]) => name === 'form')?.[1] ?? '';
  const answer = pageOf(
    await browser.post('/console/rules', [
      ['form', form],
      ['for', 'own'],
      ['do', 'add'],
      ['own-site', site],
      ['own-level', level],
    ]),
  );
  if (!answer.html.includes('class="done"')) throw new Error(`the rule was not made: ${answer.status}`);
}
