import { htmlPage } from './origin.ts';

/** Pages of the harbour site of `browser-site.ts`: common kinds of web pages, each as small as possible. */

/** Reports events of the page to the server, where a test can check them. */
const TELL = `const tell = (what, detail) => fetch('/api/told', { method: 'POST', body: JSON.stringify({ what, detail }) });`;

export function page(title: string, body: string, script = ''): string {
  return htmlPage(title, `${body}<script>${TELL}${script}</script>`);
}

/** Three steps, each checked before the next is shown; the last one is a POST. */
export const BOOKING = page(
  'Book a berth',
  `<form method="post" action="/booking" novalidate>
  <fieldset data-step="1"><legend>Your boat</legend>
    <label>Name of the boat <input name="boat" required></label>
    <label>Length in metres <input name="length" type="number" min="3" max="24" required></label>
    <label>Kind <select name="kind" required><option value="">Choose</option><option value="sail">Sailing boat</option><option value="motor">Motor boat</option></select></label>
  </fieldset>
  <fieldset data-step="2" hidden><legend>Your stay</legend>
    <label>Arrival <input name="arrival" type="date" required></label>
    <label>Nights <input name="nights" type="number" min="1" max="30" value="1" required></label>
    <label><input name="power" type="checkbox"> Shore power</label>
    <div role="radiogroup" aria-label="Pontoon"><label><input type="radio" name="pontoon" value="north" checked> North</label><label><input type="radio" name="pontoon" value="south"> South</label></div>
  </fieldset>
  <fieldset data-step="3" hidden><legend>About you</legend>
    <label>E-mail <input name="email" type="email" required></label>
    <label>Secret word <input name="word" type="password" required></label>
    <label>Remarks <textarea name="remarks"></textarea></label>
  </fieldset>
  <p role="alert"></p>
  <button type="button" data-go="-1" hidden>Back</button><button type="button" data-go="1">Next</button><button data-last hidden>Book now</button>
</form>`,
  `const form = document.forms[0], alertBox = document.querySelector('[role=alert]');
let step = 1;
const show = () => {
  for (const set of form.querySelectorAll('fieldset')) set.hidden = Number(set.dataset.step) !== step;
  form.querySelector('[data-go="-1"]').hidden = step === 1;
  form.querySelector('[data-go="1"]').hidden = step === 3;
  form.querySelector('[data-last]').hidden = step !== 3;
};
const problemOf = () => [...form.querySelectorAll('fieldset:not([hidden]) :invalid')].find((field) => field.matches('input,select,textarea'));
form.addEventListener('click', ({ target }) => {
  if (!target.dataset.go) return;
  const problem = target.dataset.go === '1' ? problemOf() : undefined;
  alertBox.textContent = problem ? 'Please check: ' + problem.closest('label').firstChild.textContent.trim() : '';
  if (!problem) { step += Number(target.dataset.go); show(); }
});
form.addEventListener('submit', (event) => {
  const problem = problemOf();
  if (problem) { event.preventDefault(); alertBox.textContent = 'Please check: ' + problem.closest('label').firstChild.textContent.trim(); }
});`,
);

/** A single-page application: links change the address and the content, not the document. */
export const APP = page(
  'Harbour office',
  `<nav aria-label="Office"><a href="/app">Today</a><a href="/app/orders">Orders</a></nav><section id="view" aria-live="polite"></section>`,
  `const view = document.querySelector('#view');
const views = {
  '/app': async () => '<h2>Today</h2><p>Wind from the west.</p>',
  '/app/orders': async () => {
    const orders = await (await fetch('/api/orders')).json();
    return '<h2>Orders</h2><ul>' + orders.map((o) => '<li><a href="/app/orders/' + o.id + '">Order ' + o.id + '</a> ' + o.what + '</li>').join('') + '</ul>';
  },
};
const route = async () => {
  const path = location.pathname, id = path.split('/')[3];
  view.innerHTML = id ? '<h2>Order ' + id + '</h2><button>Mark as paid</button>' : await views[path]();
  document.title = view.querySelector('h2').textContent + ' – Harbour office';
  view.querySelector('button')?.addEventListener('click', async ({ target }) => { await tell('paid', id); target.outerHTML = '<p>Paid.</p>'; });
};
document.addEventListener('click', (event) => {
  const link = event.target.closest('a[href^="/app"]');
  if (!link) return;
  event.preventDefault();
  history.pushState(null, '', link.href);
  route();
});
addEventListener('popstate', route);
route();`,
);

/** Twenty messages at a time, when the end comes into view. */
export const FEED = page(
  'Messages of the harbour',
  `<ol id="feed"></ol><p id="end">Loading</p>`,
  `const feed = document.querySelector('#feed'), end = document.querySelector('#end');
let next = 0, busy = false;
const more = async () => {
  if (busy || next === null) return;
  busy = true;
  const page = await (await fetch('/api/feed?from=' + next)).json();
  for (const text of page.items) { const item = document.createElement('li'); item.style.minHeight = '60px'; item.textContent = text; feed.append(item); }
  next = page.next;
  if (next === null) end.textContent = 'No more messages';
  busy = false;
};
new IntersectionObserver((entries) => entries.some((e) => e.isIntersecting) && more(), { rootMargin: '200px' }).observe(end);`,
);

/** A virtual list: a thousand rows of which thirty exist. Rows that leave the view are reused. */
export const ROWS = page(
  'Register of boats',
  `<div id="box" tabindex="0" aria-label="Boats" style="height:400px;overflow:auto;position:relative"><div style="height:40000px"></div></div>`,
  `const box = document.querySelector('#box');
const rows = Array.from({ length: 30 }, () => { const row = document.createElement('div'); row.style.cssText = 'position:absolute;height:40px'; row.append(document.createElement('span'), document.createElement('button')); box.append(row); return row; });
const draw = () => {
  const first = Math.max(0, Math.floor(box.scrollTop / 40) - 5);
  for (let n = first; n < first + 30; n += 1) {
    const row = rows[n % 30], [name, button] = row.children;
    row.style.top = n * 40 + 'px'; name.textContent = 'Boat ' + n + ' '; button.textContent = 'Call boat ' + n;
    button.onclick = () => tell('called', n);
  }
};
box.addEventListener('scroll', draw);
draw();`,
);

export const MODAL = page(
  'Moorings',
  `<p>Mooring 7 is yours.</p><button id="give">Give it up</button>
  <dialog aria-label="Are you sure?"><p>Mooring 7 will be free for others.</p><button id="yes">Yes, give it up</button><button id="no">Keep it</button></dialog>`,
  `const dialog = document.querySelector('dialog');
document.querySelector('#give').onclick = () => { tell('opened'); dialog.showModal(); };
document.querySelector('#no').onclick = () => dialog.close();
document.querySelector('#yes').onclick = () => { tell('given up'); dialog.close(); document.querySelector('#give').replaceWith('Given up.'); };`,
);

export function frames(otherSite: string): string {
  return page(
    'Charts',
    `<iframe title="Our chart" src="/chart?of=ours" width="400" height="150"></iframe><iframe title="Their chart" src="${otherSite}/chart?of=theirs" width="400" height="150"></iframe>`,
  );
}

export const CHART = page(
  'Chart',
  `<label>Depth <input id="depth"></label><button>Plot</button><p id="done"></p>`,
  `const of = new URLSearchParams(location.search).get('of');
document.querySelector('button').onclick = async () => { await tell('plotted', of + ' ' + document.querySelector('#depth').value); document.querySelector('#done').textContent = 'Plotted ' + of; };`,
);

export const SHADOW = page(
  'Flags',
  `<flag-picker mode="open"></flag-picker><flag-picker mode="closed"></flag-picker>`,
  `customElements.define('flag-picker', class extends HTMLElement {
  connectedCallback() {
    const mode = this.getAttribute('mode'), root = this.attachShadow({ mode });
    root.innerHTML = '<label>Flag (' + mode + ') <input></label><button>Hoist (' + mode + ')</button>';
    root.querySelector('button').onclick = () => tell('hoisted', mode + ' ' + root.querySelector('input').value);
  }
});`,
);

export const DIALOGS = page(
  'Harbour bell',
  `<button id="ring">Ring</button><button id="name">Name it</button><p id="said"></p>`,
  `const say = (text) => { document.querySelector('#said').textContent = text; };
document.querySelector('#ring').onclick = () => say(confirm('Ring the bell?') ? 'It rings.' : 'Silence.');
document.querySelector('#name').onclick = () => say('It is called ' + prompt('What is it called?'));`,
);

export const WINDOWS = page(
  'Windows',
  `<a href="/modal" target="_blank">Moorings in a new window</a><button onclick="window.open('/slow')">Tides in a new window</button>`,
);

export const SLOW = page(
  'Tides',
  `<p id="tide">Asking the gauge</p>`,
  `fetch('/api/slow').then((r) => r.json()).then(({ tide }) => { document.querySelector('#tide').textContent = 'The tide is ' + tide + '.'; });`,
);

/** Random pixels, so that compression cannot make the picture small. */
export const NOISE = page(
  'Noise',
  `<canvas width="1280" height="3000"></canvas>`,
  `const canvas = document.querySelector('canvas'), context = canvas.getContext('2d'), image = context.createImageData(1280, 3000);
let seed = 7;
for (let at = 0; at < image.data.length; at += 1) { seed = (seed * 1103515245 + 12345) & 0x7fffffff; image.data[at] = at % 4 === 3 ? 255 : seed >> 16; }
context.putImageData(image, 0, 0);`,
);

export const TALL = page(
  'Tall',
  `<div style="height:10000px;background:linear-gradient(navy,teal,gold)"><button style="margin-top:9000px">At the bottom</button></div>`,
);
export const WIDE = page(
  'Wide',
  `<div style="width:7680px;height:600px;background:repeating-linear-gradient(90deg,navy 0 9px,gold 9px 17px)"></div>`,
);

/** A list that several people add items to, each in their own tab. */
export const NOTES = page(
  'Log book',
  `<label>Entry <input id="entry"></label><button>Write</button><p id="last"></p>`,
  `const by = new URLSearchParams(location.search).get('by'), entry = document.querySelector('#entry');
document.querySelector('button').onclick = async () => { const text = entry.value; entry.value = ''; await tell('entry', by + ': ' + text); document.querySelector('#last').textContent = 'Written: ' + text; };`,
);

/** Makes Chromium write about a megabyte of console messages: it refuses each of the scripts. */
export const COMPLAINTS = `<!doctype html><title>Complaints</title><meta http-equiv="content-security-policy" content="script-src 'none'"><p>All is well.</p>${'<script>1</script>'.repeat(3_000)}`;

export const SIGN_IN = page(
  'Sign in',
  `<form method="post" action="/login"><label>Name <input name="name"></label><label>Password <input name="password" type="password"></label><button>Sign in</button></form>`,
);

export function account(name: string | null): string {
  const greeting = name === null ? 'Nobody is signed in.' : `Signed in as ${name}.`;
  return page(
    'Your account',
    `<p>${greeting}</p><p id="theme"></p><button>Night colours</button>`,
    `const show = () => { document.querySelector('#theme').textContent = 'Colours: ' + (localStorage.getItem('colours') ?? 'day'); };
document.querySelector('button').onclick = () => { localStorage.setItem('colours', 'night'); show(); };
show();`,
  );
}

/** Shows whether this browser has been here before with the same cookies and storage. */
export function whoAmI(cookie: string | undefined): string {
  return page(
    'Guest book',
    `<p>Cookie: ${cookie ?? 'none'}</p><p id="kept"></p>`,
    `document.querySelector('#kept').textContent = 'Kept: ' + (localStorage.getItem('guest') ?? 'nothing');
const as = new URLSearchParams(location.search).get('as');
if (as) { document.cookie = 'guest=' + as + '; max-age=3600'; localStorage.setItem('guest', as); }`,
  );
}
