/** A way for a page to send a request that may change something. `SINK` and `OTHER` count requests. */
export type Way = {
  name: string;
  script: string;
  body?: string;
  headers?: Record<string, string>;
  opensWindows?: true;
  /** True if the browser opens no window without a click, which a read-only model does not make. */
  needsClick?: true;
  /** Time to wait if the effect comes late. */
  waitMs?: number;
};

const FORM = `<form id="f" method="post" action="SINK"><input name="a" value="1"></form>`;

export const WAYS: readonly Way[] = [
  { name: 'form.submit()', body: FORM, script: `const go = () => f.submit();` },
  { name: 'form.requestSubmit()', body: FORM, script: `const go = () => f.requestSubmit();` },
  {
    name: 'a multipart form',
    body: FORM,
    script: `const go = () => { f.enctype = 'multipart/form-data'; f.submit() };`,
  },
  { name: 'a text/plain form', body: FORM, script: `const go = () => { f.enctype = 'text/plain'; f.submit() };` },
  {
    name: 'a form with a file',
    body: `<form id="f" method="post" enctype="multipart/form-data" action="SINK"><input type="file" name="a" id="i"></form>`,
    script: `const go = () => { const d = new DataTransfer(); d.items.add(new File(['x'], 'x.txt')); i.files = d.files; f.submit() };`,
  },
  {
    opensWindows: true,
    name: 'a form into a new window',
    body: FORM,
    script: `const go = () => { f.target = '_blank'; f.submit() };`,
  },
  {
    name: 'a form into a frame',
    body: `${FORM}<iframe name="inner"></iframe>`,
    script: `const go = () => { f.target = 'inner'; f.submit() };`,
  },
  {
    name: 'a form made in a blank frame',
    body: `<iframe id="fr"></iframe>`,
    script: `const go = () => { const d = fr.contentDocument; d.body.innerHTML = '<form method=post action="SINK"><input name=a></form>'; d.forms[0].submit() };`,
  },
  {
    name: 'a form in a srcdoc frame',
    script: `const go = () => { const n = document.createElement('iframe'); n.srcdoc = '<form id=f method=post action="SINK"><input name=a></form><script>f.submit()</scr'+'ipt>'; document.body.append(n) };`,
  },
  {
    name: 'a form in a blob frame',
    script: `const go = () => { const n = document.createElement('iframe'); n.src = URL.createObjectURL(new Blob(['<form id=f method=post action="SINK"><input name=a></form><script>f.submit()</scr'+'ipt>'], { type: 'text/html' })); document.body.append(n) };`,
  },
  {
    name: 'a form in a data: frame',
    script: `const go = () => { const n = document.createElement('iframe'); n.src = 'data:text/html,' + encodeURIComponent('<form id=f method=post action="SINK"><input name=a></form><script>f.submit()</scr'+'ipt>'); document.body.append(n) };`,
  },
  {
    name: 'a form in a sandboxed frame',
    script: `const go = () => { const n = document.createElement('iframe'); n.setAttribute('sandbox', 'allow-scripts allow-forms'); n.srcdoc = '<form id=f method=post action="SINK"><input name=a></form><script>f.submit()</scr'+'ipt>'; document.body.append(n) };`,
  },
  {
    name: 'a javascript: address',
    body: FORM,
    script: `const go = () => { location = 'javascript:void f.submit()' };`,
  },
  {
    opensWindows: true,
    name: 'a form without a referrer',
    body: `<meta name="referrer" content="no-referrer">${FORM}`,
    script: `const go = () => { f.target = '_blank'; f.submit() };`,
  },
  { name: 'a form to another site', body: FORM, script: `const go = () => { f.action = 'OTHER'; f.submit() };` },
  {
    name: 'fetch, a form',
    script: `const go = () => fetch('SINK', { method: 'POST', body: new URLSearchParams({ a: 1 }) });`,
  },
  {
    name: 'fetch, a form of a list that names an act',
    script: `const go = () => fetch('SINK', { method: 'POST', body: new URLSearchParams({ page: 2, action: 'deleteItem' }) });`,
  },
  {
    name: 'fetch, a form of a list with a card',
    script: `const go = () => fetch('SINK', { method: 'POST', body: new URLSearchParams({ page: 2, card_number: 4111 }) });`,
  },
  {
    name: 'fetch, a form of a list at an address that names an act',
    script: `const go = () => fetch('SINK?do=buyNow', { method: 'POST', body: new URLSearchParams({ page: 2 }) });`,
  },
  {
    name: 'fetch, a form of a list to another site',
    script: `const go = () => fetch('OTHER', { method: 'POST', mode: 'no-cors', body: new URLSearchParams({ page: 2 }) });`,
  },
  {
    name: 'fetch, JSON',
    script: `const go = () => fetch('SINK', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"buy":1}' });`,
  },
  {
    name: 'fetch, a mutation of GraphQL',
    script: `const go = () => fetch('SINK', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"mutation { buy }"}' });`,
  },
  {
    name: 'fetch, a mutation after a query',
    script: `const go = () => fetch('SINK', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify([{ query: '{ a }' }, { query: '{ b } mutation M { buy }' }]) });`,
  },
  {
    name: 'fetch, a query that is a stored one',
    script: `const go = () => fetch('SINK', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"extensions":{"persistedQuery":{"sha256Hash":"x"}}}' });`,
  },
  { name: 'fetch, no body', script: `const go = () => fetch('SINK', { method: 'POST' });` },
  {
    name: 'fetch, FormData',
    script: `const go = () => { const d = new FormData(); d.set('a', new Blob(['x'])); fetch('SINK', { method: 'POST', body: d }) };`,
  },
  { name: 'fetch, a blob', script: `const go = () => fetch('SINK', { method: 'POST', body: new Blob(['x']) });` },
  { name: 'fetch, PUT', script: `const go = () => fetch('SINK', { method: 'PUT', body: '1' });` },
  { name: 'fetch, PATCH', script: `const go = () => fetch('SINK', { method: 'PATCH', body: '1' });` },
  { name: 'fetch, DELETE', script: `const go = () => fetch('SINK', { method: 'DELETE' });` },
  { name: 'fetch, a rare method', script: `const go = () => fetch('SINK', { method: 'MKCOL' });` },
  {
    name: 'fetch to another site',
    script: `const go = () => fetch('OTHER', { method: 'POST', mode: 'no-cors', body: 'x' });`,
  },
  {
    name: 'fetch, keepalive',
    script: `const go = () => fetch('SINK', { method: 'POST', keepalive: true, body: 'x' });`,
  },
  {
    name: 'fetch, keepalive, and away',
    script: `const go = () => { fetch('SINK', { method: 'POST', keepalive: true, body: 'x' }); location = '/blank' };`,
  },
  {
    name: 'fetch without a referrer',
    script: `const go = () => fetch('SINK', { method: 'POST', referrerPolicy: 'no-referrer', body: 'x' });`,
  },
  { name: 'sendBeacon', script: `const go = () => navigator.sendBeacon('SINK', 'x');` },
  {
    name: 'sendBeacon, FormData',
    script: `const go = () => { const d = new FormData(); d.set('a', '1'); navigator.sendBeacon('SINK', d) };`,
  },
  { name: 'sendBeacon to another site', script: `const go = () => navigator.sendBeacon('OTHER', 'x');` },
  {
    name: 'sendBeacon, and away',
    script: `const go = () => { navigator.sendBeacon('SINK', 'x'); location = '/blank' };`,
  },
  {
    name: 'sendBeacon when the page is left',
    script: `const go = () => { addEventListener('pagehide', () => navigator.sendBeacon('SINK', 'x')); location = '/blank' };`,
  },
  {
    name: 'keepalive when the page is left',
    script: `const go = () => { addEventListener('unload', () => fetch('SINK', { method: 'POST', keepalive: true })); location = '/blank' };`,
  },
  {
    name: 'fetchLater',
    script: `const go = () => { if (typeof fetchLater === 'function') fetchLater('SINK', { method: 'POST', body: 'x', activateAfter: 0 }); else navigator.sendBeacon('SINK') };`,
  },
  {
    name: 'XMLHttpRequest',
    script: `const go = () => { const x = new XMLHttpRequest(); x.open('POST', 'SINK'); x.send('a=1') };`,
  },
  {
    name: 'a synchronous XMLHttpRequest',
    script: `const go = () => { const x = new XMLHttpRequest(); x.open('POST', 'SINK', false); try { x.send('a=1') } catch {} };`,
  },
  {
    name: 'a link with a ping',
    body: `<a id="l" href="/blank" ping="SINK">x</a>`,
    script: `const go = () => l.click();`,
  },
  {
    name: 'a worker',
    script: `const go = () => new Worker(URL.createObjectURL(new Blob(["fetch('SINK', { method: 'POST', body: 'x' })"])));`,
  },
  {
    name: 'a worker of a worker',
    script: `const go = () => new Worker(URL.createObjectURL(new Blob(["new Worker(URL.createObjectURL(new Blob([\\"fetch('SINK', { method: 'POST', body: 'x' })\\"])))"])));`,
  },
  {
    name: 'a worker from an address',
    script: `const go = () => new Worker('/worker.js?SINK');`,
  },
  {
    name: 'a shared worker',
    script: `const go = () => new SharedWorker('/worker.js?SINK');`,
  },
  { name: 'a WebSocket', script: `const go = () => new WebSocket('SOCKET');` },
  {
    name: 'a WebSocket of a blank frame',
    body: `<iframe id="fr"></iframe>`,
    script: `const go = () => new fr.contentWindow.WebSocket('SOCKET');`,
  },
  {
    name: 'a WebSocket of a frame',
    script: `const go = () => { const n = document.createElement('iframe'); n.src = '/socket?SOCKET'; document.body.append(n) };`,
  },
  {
    opensWindows: true,
    needsClick: true,
    name: 'a window of its own',
    script: `const go = () => { const w = window.open('about:blank'); w.document.write('<form id=f method=post action="SINK"><input name=a></form>'); w.document.forms[0].submit() };`,
  },
  {
    name: 'fetch, six seconds later',
    waitMs: 7_500,
    script: `const go = () => setTimeout(() => fetch('SINK', { method: 'POST', body: 'x' }), 6_000);`,
  },
  {
    name: 'a report of the content policy',
    headers: { 'content-security-policy': "img-src 'none'; report-uri SINK" },
    script: `const go = () => document.body.append(Object.assign(new Image(), { src: '/x.png' }));`,
  },
  {
    name: 'a form to an address that redirects with 307',
    body: FORM,
    script: `const go = () => { f.action = '/again?SINK'; f.submit() };`,
  },
  {
    name: 'another path, and a form',
    body: FORM,
    script: `const go = () => { history.pushState(0, '', '/free/app'); f.submit() };`,
  },
  {
    name: 'a document without an address, and a form',
    script: `const go = () => { document.open(); document.write('<form id=f method=post action="SINK"><input name=a></form>'); document.close(); document.forms[0].submit() };`,
  },
  {
    name: 'a text that is set in an editor that saves',
    body: `<textarea id="t"></textarea>`,
    script: `t.oninput = () => fetch('SINK', { method: 'POST', body: t.value }); const go = () => { t.value = 'x'; t.dispatchEvent(new Event('input')) };`,
  },
  {
    opensWindows: true,
    needsClick: true,
    name: 'a window without an opener that sends at load',
    script: `const go = () => window.open('/auto?SINK', '_blank', 'noopener');`,
  },
  {
    opensWindows: true,
    needsClick: true,
    name: 'a link without an opener to a page that sends at load',
    body: `<a id="l" target="_blank" rel="noopener noreferrer" href="/auto?SINK">x</a>`,
    script: `const go = () => l.click();`,
  },
  { name: 'a page that sends at load', script: `const go = () => { location = '/auto?SINK' };` },
  {
    name: 'a frame that sends at load',
    script: `const go = () => { const n = document.createElement('iframe'); n.src = '/auto?SINK'; document.body.append(n) };`,
  },
  {
    name: 'a page that is rendered before it is shown',
    script: `const go = () => { const n = document.createElement('script'); n.type = 'speculationrules'; n.textContent = JSON.stringify({ prerender: [{ source: 'list', urls: ['/auto?SINK'] }] }); document.head.append(n); setTimeout(() => { location = '/auto?SINK' }, 400) };`,
  },
  {
    name: 'a redirect that comes after six seconds, to another site',
    waitMs: 9_000,
    script: `const go = () => fetch('/late?OTHER', { method: 'POST', mode: 'no-cors' });`,
  },
  {
    name: 'fetch, a form that claims to be JSON',
    script: `const go = () => fetch('SINK', { method: 'POST', headers: { 'content-type': 'application/json' }, body: 'a=1&b=2' });`,
  },
  {
    name: 'fetch, a body with two operations',
    script: `const go = () => fetch('SINK', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"mutation { buy }","query":"{ a }"}' });`,
  },
  {
    name: 'fetch, a query with an operation in its address',
    script: `const go = () => fetch('SINK?query=mutation%7Bbuy%7D', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"{ a }"}' });`,
  },
  {
    name: 'fetch, a query with the name of a stored one',
    script: `const go = () => fetch('SINK', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"query":"{ a }","id":"buy"}' });`,
  },
];
