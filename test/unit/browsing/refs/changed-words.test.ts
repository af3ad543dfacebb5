import { describe, expect, it } from 'vitest';
import { recordedPages } from '#support/recorded/recorded-pages.ts';

const BUTTON = '<button class="b">Delete</button>';
const three = (row: (n: number) => string) => `<div>${[1, 2, 3].map(row).join('')}</div>`;
const options = (n: number) =>
  [1, 2, 3, 4].map((at) => `<option${at === n ? ' selected' : ''}>Order ${at}</option>`).join('');

/** Rows that show the next record after the script, which is called with each button and its new number. */
const RECYCLED: Record<string, [row: (n: number) => string, script: string]> = {
  '/item-without-list': [
    (n) => `<div role="listitem" aria-label="Order ${n}">${BUTTON}</div>`,
    'b.parentElement.setAttribute("aria-label", "Order " + n)',
  ],
  '/item-of-list': [
    (n) => `<ul><li aria-label="Order ${n}">${BUTTON}</ul>`,
    'b.parentElement.setAttribute("aria-label", "Order " + n)',
  ],
  '/group': [
    (n) => `<div role="group" aria-label="Order ${n}">${BUTTON}</div>`,
    'b.parentElement.setAttribute("aria-label", "Order " + n)',
  ],
  '/address': [
    (n) => `<div role="listitem"><a href="/o/${n}">Details</a>${BUTTON}</div>`,
    'b.parentElement.querySelector("a").href = "/o/" + n',
  ],
  '/same-state': [
    (n) => `<div role="listitem"><a href="/o/${n}">Details</a> ${n < 3 ? 'Paid' : 'Sent'} ${BUTTON}</div>`,
    'b.parentElement.querySelector("a").href = "/o/" + n',
  ],
  '/read-only': [
    (n) => `<div role="listitem"><input readonly aria-label="Order" value="Order ${n}">${BUTTON}</div>`,
    'b.parentElement.querySelector("input").value = "Order " + n',
  ],
  '/select': [
    (n) => `<div role="listitem"><select aria-label="Order">${options(n)}</select>${BUTTON}</div>`,
    'b.parentElement.querySelector("select").selectedIndex = n - 1',
  ],
  '/tooltip': [
    (n) => `<div role="listitem"><i title="Order ${n}">i</i>${BUTTON}</div>`,
    'b.parentElement.querySelector("i").title = "Order " + n',
  ],
  '/description': [
    (n) =>
      `<div role="listitem"><span id="s${n}" hidden>Order ${n}</span><button class="b" aria-describedby="s${n}">Delete</button></div>`,
    'document.getElementById(b.getAttribute("aria-describedby")).textContent = "Order " + n',
  ],
  '/own-tooltip': [
    (n) => `<div role="listitem"><button class="b" title="Delete order ${n}">X</button></div>`,
    'b.title = "Delete order " + n',
  ],
  '/described-by-text': [
    (n) =>
      `<div role="listitem"><span id="s${n}">Order ${n}</span><button class="b" aria-describedby="s${n}">Delete</button></div>`,
    'document.getElementById(b.getAttribute("aria-describedby")).textContent = "Order " + n',
  ],
};

const QUESTION = '<p id="t">Delete project A?</p>';
const YES = '<button>Yes</button>';

const MANY = Array.from({ length: 9 }, (_, at) => `<button>Choice ${at}</button>`).join('');

const FIELDS = Array.from({ length: 10 }, (_, at) => `<label>Field ${at} <input></label>`).join('');

/** Dialogs whose question changes by the script. */
const ASKED: Record<string, [body: string, script: string]> = {
  '/dialog': [`<div role="dialog" aria-modal="true">${QUESTION}${YES}<button>No</button></div>`, ''],
  '/labelled': [`<div role="alertdialog" aria-modal="true" aria-labelledby="t">${QUESTION}${YES}</div>`, ''],
  '/named': [
    `<div role="alertdialog" id="d" aria-label="Delete project A?">${YES}</div>`,
    'd.setAttribute("aria-label", "Delete project B?")',
  ],
  '/modal': [
    `<h1>Projects</h1><ul><li>A <button>Delete</button><li>B <button>Delete</button></ul>
      <dialog id="d">${QUESTION}${YES}<button>No</button></dialog><script>d.showModal()</script>`,
    '',
  ],
  '/headed': [`<div role="dialog"><h2>Delete?</h2>${QUESTION}${YES}<button>No</button></div>`, ''],
  '/described-question': [
    `<div role="dialog">${QUESTION}<button aria-describedby="t">Yes</button><button>No</button></div>`,
    '',
  ],
  '/numbered': [
    '<div role="dialog"><p>Delete order <b id="t">17</b>?</p><button>Yes</button></div>',
    't.textContent = "18"',
  ],
  '/many-controls': [`<div role="dialog"><button>Close</button>${QUESTION}${YES}${MANY}</div>`, ''],
  '/many-boxes': [
    `<div role="dialog"><div>${QUESTION}</div>${MANY.replaceAll('button', 'label').replaceAll('<label>', '<label><input type="checkbox">')}${YES}</div>`,
    '',
  ],
  '/titled-form': [`<div role="dialog"><h2 id="t">Delete project A?</h2>${FIELDS}${YES}</div>`, ''],
  '/typed': [`<div role="dialog">${QUESTION}<label>Type its name <input></label>${YES}<button>No</button></div>`, ''],
};

/** Parts of a page with a button "Go" and a change that does not change what the button does. */
const HARMLESS: Record<string, [body: string, script: string]> = {
  '/countdown': [
    '<div role="dialog"><p id="t">You are signed out in 59 seconds.</p><button>Go</button></div>',
    't.textContent = "You are signed out in 58 seconds."',
  ],
  '/progress': [
    '<div role="dialog"><p>Uploading <b id="t">3 of 10</b> (<i id="u">30%</i>)</p><button>Go</button></div>',
    't.textContent = "4 of 10"; u.textContent = "40%"',
  ],
  '/clock': ['<div role="dialog"><p id="t">It is 9:59</p><button>Go</button></div>', 't.textContent = "It is 10:00"'],
  '/live': [
    '<div role="dialog"><p>Send it?</p><p aria-live="polite" id="t">Saving</p><p role="status" id="u">1</p><button>Go</button></div>',
    't.textContent = "Saved"; u.textContent = "2"',
  ],
  '/form': [
    `<div role="dialog" aria-label="New message"><h2>New message</h2><input aria-label="To"> <p id="t">280 characters left</p>
      <button>Go</button></div>`,
    'document.querySelector("input").value = "Ann"; t.textContent = "277 characters left"; t.insertAdjacentHTML("afterend", "<p>Fill in a subject.</p>")',
  ],
  '/editor': [
    `<div role="dialog"><h2>Note</h2>${MANY}<p id="t">One</p><button>Go</button></div>`,
    't.textContent = "Another"',
  ],
  '/hint-of-form': [
    `<div role="dialog"><h2>New order</h2><p id="t">Fill in all fields.</p>${FIELDS}<button>Go</button></div>`,
    't.textContent = "One field left"',
  ],
  '/chosen-in-row': [
    `<ul><li>Ann <select aria-label="Role"><option>Reader<option>Editor</select> <button>Go</button></li>
      <li>Bob <select aria-label="Role"><option>Reader<option>Editor</select> <button>Go</button></li></ul>`,
    'document.querySelector("select").selectedIndex = 1',
  ],
  '/address-beside': [
    `<ul><li>Ann <a href="/like?1">Like</a> <button>Go</button></li><li>Bob <a href="/like?2">Like</a> <button>Go</button></li></ul>`,
    'document.querySelector("a").href = "/unlike?1"',
  ],
  '/tooltip-appears': ['<button>Go</button>', 'document.querySelector("button").title = "Go there"'],
  '/tooltip-of-words': [
    '<button title="Saved 1 minute ago">Go on</button>',
    'document.querySelector("button").title = "Saved 2 minutes ago"',
  ],
  '/tab-count': [
    '<div role="tabpanel" id="t" aria-label="Inbox (3)"><button>Go</button></div>',
    't.setAttribute("aria-label", "Inbox (4)")',
  ],
};

const bodyOf = (path: string) => {
  const rows = RECYCLED[path];
  if (rows !== undefined) return three(rows[0]);
  return (ASKED[path] ?? HARMLESS[path])?.[0] ?? OTHER[path];
};

const OTHER: Record<string, string> = {
  '/panel':
    '<div role="tabpanel" id="p" aria-label="Account A"><button>Close account</button></div><button>Help</button>',
  '/region': '<section id="p" aria-label="Account A"><button>Close account</button></section><button>Help</button>',
};

const pages = recordedPages('refs/changed-words', ({ pathname }) => {
  const body = bodyOf(pathname);
  return body === undefined ? null : `<!doctype html><title>T</title><body>${body}</body>`;
});

const open = (path: string) => pages.open(`http://site.example${path}`);

describe('a ref of a button in a row', () => {
  it.each(Object.keys(RECYCLED))('is refused when %s shows the next record', async (path) => {
    const page = await open(path);
    const name = path === '/own-tooltip' ? 'button "X"' : 'button "Delete"';
    const refs = [await page.refOf(name, 0), await page.refOf(name, 1), await page.refOf(name, 2)];
    for (const ref of refs) expect(await page.leads(ref)).toBe(true);
    expect(await page.refOf(name, 1)).toBe(refs[1]);
    await page.run(
      `document.querySelectorAll(".b").forEach((b, at) => { const n = at + 2; ${RECYCLED[path]?.[1] ?? ''} })`,
    );
    for (const ref of refs) expect(await page.failure(ref)).toMatchObject({ code: 'stale_ref' });
  });
});

describe('a ref of a button in a dialog', () => {
  it.each(Object.keys(ASKED))('is refused when the question of %s changes', async (path) => {
    const page = await open(path);
    const ref = await page.refOf('button "Yes"');
    expect(await page.leads(ref)).toBe(true);
    expect(await page.refOf('button "Yes"')).toBe(ref);
    await page.run(ASKED[path]?.[1] || 't.textContent = "Delete project B?"');
    expect(await page.failure(ref)).toMatchObject({
      code: 'stale_ref',
      // A view shows the description of a button with a short name, so it counts as a part of the name.
      reason: path === '/described-question' ? 'renamed' : 'surroundings',
    });
    expect(await page.refOf('button "Yes"')).not.toBe(ref);
  });
});

describe('a ref of a button in a named part', () => {
  it.each(['/panel', '/region'])('is refused when the name of %s changes', async (path) => {
    const page = await open(path);
    const ref = await page.refOf('button "Close account"');
    const other = await page.refOf('button "Help"');
    await page.run('p.setAttribute("aria-label", "Account B")');
    expect(await page.failure(ref)).toMatchObject({ code: 'stale_ref', reason: 'surroundings' });
    expect(await page.leads(other)).toBe(true);
  });
});

describe('a change that does not change what a button does', () => {
  it.each(Object.keys(HARMLESS))('leaves its ref valid: %s', async (path) => {
    const page = await open(path);
    const ref = await page.refOf('button "Go');
    await page.run(HARMLESS[path]?.[1] ?? '');
    expect(await page.leads(ref)).toBe(true);
    expect(await page.refOf('button "Go')).toBe(ref);
  });
});
