import type { HostPage } from './page.ts';

const noLibraries = { libraries: [] };

/** Pages without a library, with the controls that people use all day and that change nothing. */
export const PLAIN_PAGES: Readonly<Record<string, HostPage>> = {
  sails: {
    ...noLibraries,
    title: 'Questions about sails',
    body: `<form id="f"><label>Category <select name="category"><option>All posts</option><option>Rigging</option><option>Order of races</option></select></label>
<label><input type="checkbox" name="open"> Without accepted answer</label><label>Sort by <select name="sort"><option>Newest</option><option>Most votes</option><option>Last reply</option></select></label>
<button>Apply filters</button> <button type="reset">Clear all filters</button></form><p role="status" id="told"></p><ul><li><a href="#7">How to remove salt from a sail?</a> 3 votes</li></ul>`,
    script: `const told = document.querySelector('#told'); f.onsubmit = (event) => { event.preventDefault(); told.textContent = 'Filtered: ' + [...new FormData(f).values()].join(', '); };
window.state = () => told.textContent;`,
  },
  posts: {
    ...noLibraries,
    title: 'Latest posts',
    body: `<ol id="list"><li>Post 1 <button aria-expanded="false">Show 4 comments</button></li></ol><button id="more">Load more posts</button><nav aria-label="Pages"><button>1</button><button>2</button><button id="next">Next page</button></nav>`,
    script: `const list = document.querySelector('#list'); let page = 1;
const load = async () => { page += 1; const answer = await fetch('/api/posts', { method: 'POST', body: new URLSearchParams({ action: 'load_more_posts', page, nonce: '7f3a' }) }); const { name } = await answer.json(); list.insertAdjacentHTML('beforeend', '<li>' + name + '</li>'); };
document.querySelector('#more').onclick = load; document.querySelector('#next').onclick = load;
document.querySelector('[aria-expanded]').onclick = ({ target }) => { target.textContent = 'Hide comments'; list.insertAdjacentHTML('beforeend', '<li>A comment</li>'); };
window.state = () => [...list.children].map((one) => one.textContent.trim());`,
  },
  purchase: {
    ...noLibraries,
    title: 'Your basket',
    body: `<section aria-label="Order summary"><p>Rope, 10 m <button aria-label="Decrease quantity">−</button> <output id="n">1</output> <button aria-label="Increase quantity">+</button></p><label>Gift note <input id="note"></label><p>Order total: <span id="total">12</span> EUR</p></section>
<label>Voucher <input id="voucher"></label><button id="apply">Apply voucher</button><button id="later">Save for later</button><a href="#all">Continue shopping</a><button>Pay now</button><p role="status" id="told"></p>`,
    script: `let n = 1; const q = (one) => document.querySelector(one); const show = () => { q('#n').textContent = n; q('#total').textContent = 12 * n; };
q('[aria-label^=In]').onclick = () => { n += 1; show(); }; q('[aria-label^=De]').onclick = () => { n -= 1; show(); };
q('#apply').onclick = () => { q('#told').textContent = 'Voucher ' + q('#voucher').value + ' is applied.'; }; q('#later').onclick = () => { q('#told').textContent += ' Saved for later.'; };
window.state = () => [n, q('#told').textContent];`,
  },
  settings: {
    ...noLibraries,
    title: 'Settings',
    body: ['Dark mode', 'Show deleted messages', 'Remember the order of columns', 'Play a sound for new posts']
      .map((name) => `<p><button role="switch" aria-checked="false">${name}</button></p>`)
      .join('')
      .concat(
        '<label>Language <select><option>English</option><option>Deutsch</option></select></label><label>Posts per page <input type="number" value="20"></label><button id="save">Save changes</button><p role="status"></p>',
      ),
    script: `for (const one of document.querySelectorAll('[role=switch]')) one.onclick = () => one.setAttribute('aria-checked', one.getAttribute('aria-checked') !== 'true');
document.querySelector('#save').onclick = () => (document.querySelector('[role=status]').textContent = 'Settings saved.');
window.state = () => [[...document.querySelectorAll('[aria-checked=true]')].map((one) => one.textContent), document.querySelector('[role=status]').textContent];`,
  },
  account: {
    ...noLibraries,
    title: 'Account of Ada',
    body: `<div role="tablist">${['Overview', 'Orders', 'Payments', 'Transfers', 'Messages'].map((name) => `<button role="tab" aria-selected="false">${name}</button>`).join('')}</div><div role="tabpanel" id="panel">Balance: 40 EUR</div>`,
    script: `const tabs = [...document.querySelectorAll('[role=tab]')]; for (const one of tabs) one.onclick = () => { for (const other of tabs) other.setAttribute('aria-selected', other === one); document.querySelector('#panel').textContent = 'These are your ' + one.textContent.toLowerCase(); };
window.state = () => document.querySelector('#panel').textContent;`,
  },
  wizard: {
    ...noLibraries,
    title: 'Insure a boat',
    body: `<form id="f"><fieldset><legend>Boat</legend><label>Length in m <input name="length"></label></fieldset><fieldset hidden><legend>Use</legend><label><input type="radio" name="use" value="racing"> Racing</label><label><input type="radio" name="use" value="cruising"> Cruising</label></fieldset><fieldset hidden><legend>Cover</legend><label>Cover <select name="cover"><option>Basic</option><option>Full</option></select></label><label>Remarks <textarea name="remarks"></textarea></label></fieldset>
<button type="button" id="back">Back</button><button id="go">Next</button></form><p role="status" id="told"></p>`,
    script: `const steps = [...document.querySelectorAll('fieldset')]; let at = 0; const told = document.querySelector('#told');
const show = () => { for (const [index, one] of steps.entries()) one.hidden = index !== at; document.querySelector('#go').textContent = at === 2 ? 'Show my quote' : 'Next'; };
f.onsubmit = (event) => { event.preventDefault(); if (at === 2) told.textContent = 'Quote: ' + [...new FormData(f).values()].join(', '); else { at += 1; show(); } };
document.querySelector('#back').onclick = () => { at = Math.max(0, at - 1); show(); };
window.state = () => told.textContent;`,
  },
  appointment: {
    ...noLibraries,
    title: 'Check a free day',
    body: `<p>Book a berth: see which days are free.</p><button id="open">Choose date</button><div role="dialog" aria-label="Choose date" hidden><button aria-label="Previous month">‹</button> <b id="month">May 2027</b> <button aria-label="Next month">›</button><div id="days"></div><button id="clear">Clear</button><button id="done">Done</button></div><p role="status" id="told"></p>`,
    script: `const q = (one) => document.querySelector(one); const months = ['May 2027', 'June 2027']; let at = 0, day = 0;
const show = () => { q('#month').textContent = months[at]; q('#days').innerHTML = Array.from({ length: 28 }, (_, n) => '<button aria-label="' + (n + 1) + ' ' + months[at] + '">' + (n + 1) + '</button>').join(''); for (const one of q('#days').children) one.onclick = () => { day = one.textContent; }; };
q('#open').onclick = () => { q('[role=dialog]').hidden = false; show(); }; q('[aria-label^=Next]').onclick = () => { at = 1; show(); };
q('#done').onclick = () => { q('[role=dialog]').hidden = true; q('#told').textContent = 'Free: ' + day + ' ' + months[at]; };
window.state = () => q('#told').textContent;`,
  },
  prices: {
    ...noLibraries,
    title: 'Harbour map',
    body: `<form role="search" id="f"><label>Place <input name="q"></label><button>Go</button></form><div role="region" aria-label="Map"><button aria-label="Zoom in">+</button><button aria-label="Zoom out">−</button><button>My location</button><button id="layer">Layers</button><p id="zoom">8</p><button aria-label="Post office, Kiel" id="pin">◆</button></div><div id="card"></div>`,
    script: `const q = (one) => document.querySelector(one); let zoom = 8; const did = [];
q('[aria-label="Zoom in"]').onclick = () => (q('#zoom').textContent = zoom += 1); f.onsubmit = (event) => { event.preventDefault(); did.push(f.q.value); };
q('#layer').onclick = () => did.push('layers'); q('#pin').onclick = () => { q('#card').innerHTML = 'Post office <button>Directions</button> <button>Nearby</button>'; q('#card button').onclick = () => did.push('directions'); };
window.state = () => [zoom, ...did];`,
  },
  finder: {
    ...noLibraries,
    title: 'Find a chart',
    body: `<form method="post" action="/finder" id="f"><label>Search charts <input name="q" autocomplete="off" id="q"></label><ul id="hints"></ul><button>Search</button></form><fieldset><legend>Price</legend><label><input type="checkbox"> Buy it as a print</label><label><input type="checkbox"> Free</label></fieldset><div id="did"></div>`,
    script: `const q = document.querySelector('#q'); q.oninput = async () => { const answer = await fetch('/api/posts', { method: 'POST', body: new URLSearchParams({ q: q.value, page: 1 }) }); const { name } = await answer.json(); document.querySelector('#hints').innerHTML = '<li><button type="button">Hint: ' + name + '</button></li>'; document.querySelector('#hints button').onclick = ({ target }) => { document.querySelector('#did').textContent += target.textContent + ';'; }; };
for (const one of document.querySelectorAll('[type=checkbox]')) one.onchange = () => { document.querySelector('#did').textContent += one.parentElement.textContent.trim() + ';'; };
window.state = () => document.querySelector('#did').textContent;`,
  },
  orders: {
    ...noLibraries,
    title: 'Orders',
    body: `<table><thead><tr><th><input type="checkbox" aria-label="Select all"></th><th><button>Order no.</button></th><th><button>Sent on</button></th></tr></thead><tbody><tr><td><input type="checkbox" aria-label="Select order 1207"></td><td>1207</td><td>May 3 <button>Show details</button></td></tr></tbody></table><button id="columns">Columns</button><button id="export">Export selected</button><button id="print">Print order list</button><p role="status" id="told"></p>`,
    script: `const did = []; for (const one of document.querySelectorAll('button')) one.addEventListener('click', () => { did.push(one.textContent); document.querySelector('#told').textContent = 'Done: ' + one.textContent; });
window.state = () => [...did, document.querySelectorAll('tbody :checked').length];`,
  },
};
