import type { Rig } from './rig.ts';
import { ours } from './oracle.ts';
import type { Part, Try } from './try.ts';
import { at, send, textOf } from './wire.ts';
import type { Answer } from './wire.ts';

/** Pages that want to be stored, found, cited and shared under an address that never served them. */
export async function scriptedAddresses(rig: Rig): Promise<Part> {
  rig.site.page('/official/frame', `<script>parent.written(); parent.document.open()</script>`);
  return {
    name: 'addresses that scripts choose',
    tries: [...WAYS.flatMap((way) => [reader(rig, way), live(rig, way)]), control(rig)],
  };
}

const CLAIMED = '/official/bank';
const QUOTE = 'This bank has a new account for all transfers, it says';
const MAIN = `<main><h1>Notice</h1><p>${QUOTE}, and the page goes on about it for another line or two.</p></main>`;
const PUSH = `history.pushState(0, '', '${CLAIMED}')`;

type Way = { name: string; body: string };

const script = (name: string, code: string): Way => ({ name, body: `${MAIN}<script>${code}</script>` });
const WRITE = `document.open(); document.write(${JSON.stringify(MAIN)}); document.close()`;

const WAYS: readonly Way[] = [
  script('pushState', PUSH),
  script('replaceState', `history.replaceState(0, '', '${CLAIMED}')`),
  script(
    'pushState again and again',
    `setInterval(() => history.pushState(0, '', '${CLAIMED}?' + Math.random()), 200)`,
  ),
  script('pushState after the page is at rest', `setTimeout(() => { ${PUSH} }, 350)`),
  script('pushState when it is shown', `addEventListener('pageshow', () => { ${PUSH} })`),
  script('pushState as its size changes', `addEventListener('resize', () => { ${PUSH} })`),
  script(
    'pushState while it is read',
    `new MutationObserver(() => { ${PUSH} }).observe(document, { subtree: true, attributes: true })`,
  ),
  script(
    'the Navigation API',
    `navigation.onnavigate = (event) => event.intercept(); navigation.navigate('${CLAIMED}')`,
  ),
  script(
    'a link that the Navigation API intercepts',
    `navigation.onnavigate = (event) => event.intercept();
    const link = document.createElement('a'); link.href = '${CLAIMED}'; document.body.append(link); link.click()`,
  ),
  script('pushState and back and forward', `${PUSH}; history.pushState(0, '', '/x'); history.back()`),
  script('a fragment', `location.hash = '${CLAIMED}'`),
  script('pushState and a new document', `${PUSH}; ${WRITE}`),
  script('a new document and pushState', `${WRITE}; ${PUSH}`),
  script(
    'pushState and a javascript: address',
    `${PUSH}; location.href = 'javascript:' + ${JSON.stringify(JSON.stringify(MAIN))}`,
  ),
  script(
    'a document that a frame of that address opens',
    `var written = () => setTimeout(() => { document.write(${JSON.stringify(MAIN)}); document.close() }, 50);
    document.body.insertAdjacentHTML('beforeend', '<iframe src="/official/frame"></iframe>')`,
  ),
  script(
    'pushState by a frame',
    `document.body.insertAdjacentHTML('beforeend', '<iframe srcdoc="<script>top.history.pushState(0, 0, \\'${CLAIMED}\\')<' + '/script>"></iframe>')`,
  ),
  script(
    'pushState of a frame',
    `document.body.insertAdjacentHTML('beforeend', '<iframe></iframe>'); frames[0].history.pushState(0, '', '${CLAIMED}')`,
  ),
  script('pushState and a navigation that brings nothing', `${PUSH}; location.href = '/nothing'`),
  script('a navigation there that is stopped', `location.href = '${CLAIMED}'; stop()`),
  script('a download from there', `location.href = '/official/file'`),
  { name: 'base', body: `<base href="${CLAIMED}">${MAIN}` },
  {
    name: 'canonical and og:url',
    body: `<link rel="canonical" href="${CLAIMED}"><meta property="og:url" content="${CLAIMED}">${MAIN}`,
  },
  { name: 'meta refresh to a script', body: `${MAIN}<meta http-equiv="refresh" content="0; url=javascript:${PUSH}">` },
  {
    name: 'a form that is sent to a script',
    body: `${MAIN}<form action="javascript:${PUSH}"></form><script>document.forms[0].submit()</script>`,
  },
];

let count = 0;

function lay({ site }: Rig, { body }: Way): string {
  site.routes['/nothing'] = (_request, response) => void response.writeHead(204).end();
  site.routes['/official/file'] = (_request, response) =>
    void response.writeHead(200, { 'content-disposition': 'attachment; filename=x.html' }).end(MAIN);
  return site.page(`/~mallory/${(count += 1)}`, `<!doctype html><title>Notice</title><body>${body}</body>`);
}

/** The page is rendered for a reader, then cited, shared, searched by another user, and read as a resource. */
function reader(rig: Rig, way: Way): Try {
  return {
    name: `${way.name}: web_open, cite, share, search, resources`,
    run: async () => {
      const { ana, bob } = rig;
      const page = await ana.caller.call('web_open', { url: lay(rig, way), mode: 'rendered' });
      const found = await bob.caller.call('search', { query: QUOTE });
      if (found.body.includes(CLAIMED)) return 'somebody else finds it there';
      if (page.isRefused) return null;
      const snapshot = textOf(at(page.structured, 'snapshot'));
      const resource = await ana.caller.rpc('resources/read', { uri: `resource://cache/${snapshot}` });
      if (/source: \S*\/official\/bank/u.test(resource.body)) return 'the resource says so';
      return claims(page) ?? (await cited(rig, page, true));
    },
  };
}

/** The page is read in a session, then cited for its owner. */
function live(rig: Rig, way: Way): Try {
  return {
    name: `${way.name}: browser_read, cite`,
    run: async () => {
      const { caller } = rig.ana;
      const session = 'addresses';
      await caller.call('browser_navigate', { url: lay(rig, way), session });
      await caller.call('browser_wait', { session, text: 'no page of these says so', timeout_ms: 500 });
      const page = await caller.call('browser_read', { session });
      await caller.call('browser_close', { session });
      if (page.isRefused) return null;
      if (textOf(at(page.structured, 'url')).includes(CLAIMED)) return 'browser_read gives that address';
      return cited(rig, page, false);
    },
  };
}

function claims(page: Answer): string | null {
  if (textOf(at(page.structured, 'url')).includes(CLAIMED)) return 'the page has that address';
  if (/source: \S*\/official\/bank/u.test(textOf(at(page.structured, 'markdown')))) return 'its frontmatter says so';
  // A base element changes the addresses of the page's links, which are part of its text.
  return ours(page.text).includes(CLAIMED) ? 'our own words say so' : null;
}

async function cited(rig: Rig, page: Answer, share: boolean): Promise<string | null> {
  const cursor = textOf(at(page.structured, 'cursor'));
  const citation = await rig.ana.caller.call('cite', { cursor, quote: QUOTE, share });
  if (citation.isRefused) return null;
  if (citation.body.includes(CLAIMED)) return 'the citation has that address';
  const link = textOf(at(citation.structured, 'share_link'));
  if (link === '') return null;
  const shown = await send(rig.port, { path: new URL(link).pathname });
  if (shown.status !== 200) return `the shared quote answers ${shown.status}`;
  return shown.body.includes(CLAIMED) ? 'the shared quote names that address' : null;
}

/** Control try: a page that is really at the address is found, cited and shared there. */
function control(rig: Rig): Try {
  return {
    name: 'control: a page that answers at the address has it',
    run: async () => {
      const url = rig.site.page(CLAIMED, `<!doctype html><title>Bank</title><body>${MAIN}</body>`);
      const page = await rig.ana.caller.call('web_open', { url, mode: 'rendered' });
      if (claims(page) === null) return 'the page has another address';
      return (await cited(rig, page, true)) === null ? 'the citation has another address' : null;
    },
  };
}
