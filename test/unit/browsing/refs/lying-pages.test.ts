import { describe, expect, it } from 'vitest';
import { recordedPages } from '#support/recorded/recorded-pages.ts';

const row = (name: string) => `<li><span>${name}</span> <button>Delete</button></li>`;

const PAGES: Record<string, string> = {
  '/list': `<ul id="list">${['Alice', 'Bob', 'Carol'].map(row).join('')}</ul>`,
  '/divs': `<div id="list">${['Alice', 'Bob', 'Carol']
    .map((name) => `<div><div>${name}</div><div><div><button>Delete</button></div></div></div>`)
    .join('')}</div>`,
  '/table': `<table id="list">${['Alice', 'Bob', 'Carol']
    .map((name) => `<tr><td>${name}<td><button>Delete</button></tr>`)
    .join('')}</table>`,
  '/inputs': `<div id="list">${['Alice', 'Bob']
    .map(
      (name) =>
        `<div><input aria-label="Name" value="${name}"><button>Delete</button><a href="/${name}">${name}</a></div>`,
    )
    .join('')}</div>`,
  '/one': '<main><button id="buy">Buy</button><button id="sell">Sell</button><p id="note">A note</p></main>',
  '/pane': `<nav><button>Settings</button></nav><h1>Mail</h1>
    <div><div><h2>Invoice 12</h2><i>from Ada</i></div><p>Text</p><div><div><button>Archive</button></div></div></div>
    <button>Write</button>`,
  '/sections': '<main><h2>One</h2><p>First</p><button>Begin</button><h2>Two</h2><button>Finish</button></main>',
  '/tools': `<div><p id="task">Draw a boat</p><div><button></button><button></button></div></div>
    <div><p id="ticker">1 visitor</p></div>`,
  '/slider': `<main><h1>Room <b id="room">13</b></h1><p id="clock">Now 9:59:59 AM</p><div><span tabindex="0"></span><span tabindex="0"></span></div>
    <p id="amount">30</p><input type="checkbox"><input type="checkbox"></main>`,
  '/volumes': `<div><div>Left <input type="range" value="3"> <i>3 %</i> <button>Mute</button></div>
    <div>Right <input type="range" value="5" id="low"> <i id="shown">5 %</i> <button>Mute</button></div></div>`,
  '/hover': `<style>body { margin: 0 } li { height: 40px } i { display: none } li:hover i { display: inline }</style>
    <ul id="list">${['Alice', 'Bob'].map((name) => `<li><span>${name}</span> <i>edited today</i> <button>Delete</button></li>`).join('')}</ul>`,
  '/growing': '<div id="list"><div><div>Alice</div><button>Delete</button></div></div>',
  '/link': '<main><a href="/somewhere">Open</a></main>',
  '/plain': '<main><div id="card" onclick="1">Alice</div></main>',
  '/spa': '<main id="view"><h1>Home</h1><button id="go">Next</button></main>',
  '/framed': '<button>Outer</button><iframe src="/inner" title="Same site"></iframe>',
  '/cross': '<button>Outer</button><iframe src="http://other.example/inner" title="Other site"></iframe>',
  '/inner': '<button id="in">Inner</button>',
  '/shadow':
    '<div id="open"></div><div id="closed"></div><script>open.attachShadow;document.querySelector("#open").attachShadow({mode:"open"}).innerHTML="<button>In open</button>";document.querySelector("#closed").attachShadow({mode:"closed"}).innerHTML="<button>In closed</button>"</script>',
};

const pages = recordedPages('refs/lying-pages', ({ pathname }) => {
  const body = PAGES[pathname];
  return body === undefined ? null : `<!doctype html><title>T</title><body>${body}</body>`;
});

const open = (path: string) => pages.open(`http://site.example${path}`);

describe('a ref on a page that changes', () => {
  it('leads to its element as long as nothing about the element changes', async () => {
    const page = await open('/one');
    const ref = await page.refOf('button "Sell"');
    await page.run('note.textContent = "Another note"; note.append(document.createElement("i"))');
    const element = await page.resolve(ref);
    expect(await page.ask(element, 'this.id')).toBe('sell');
    expect(await page.refOf('button "Sell"')).toBe(ref);
  });

  it('resolves to the successor when the page is redrawn with the same content', async () => {
    const page = await open('/one');
    const ref = await page.refOf('button "Buy"');
    await page.run('document.querySelector("main").innerHTML += ""; buy.dataset.drawn = "anew"');
    expect(await page.ask(await page.resolve(ref), 'this.dataset.drawn')).toBe('anew');
    expect(await page.refOf('button "Buy"')).not.toBe(ref);
  });

  it('follows its element when rows that have keys are sorted', async () => {
    const page = await open('/list');
    const ref = await page.refOf('button "Delete"', 2);
    await page.run('list.prepend(list.lastElementChild)');
    expect(await page.ask(await page.resolve(ref), 'this.parentElement.firstChild.textContent')).toBe('Carol');
    expect(await page.refOf('button "Delete"', 0)).toBe(ref);
  });

  it.each(['/list', '/divs', '/table'])('is refused when a row of %s is filled with other data', async (path) => {
    const page = await open(path);
    const refs = [0, 1, 2].map((place) => page.refOf('button "Delete"', place));
    const [first, second] = await Promise.all(refs);
    await page.run(`(() => {
      const walker = document.createTreeWalker(list, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) if (node.data === 'Alice') node.data = 'Dave';
    })()`);
    expect(await page.failure(first ?? '')).toMatchObject({ code: 'stale_ref', reason: 'surroundings' });
    expect(await page.leads(second ?? '')).toBe(true);
    expect(await page.refOf('button "Delete"', 0)).not.toBe(first);
  });

  it('leads to its element again when the row shows its first data again, whatever snapshots came in between', async () => {
    const page = await open('/list');
    const ref = await page.refOf('button "Delete"');
    await page.run('list.firstElementChild.firstElementChild.textContent = "Dave"');
    const other = await page.refOf('button "Delete"');
    expect(other).not.toBe(ref);
    expect(await page.failure(ref)).toMatchObject({ code: 'stale_ref', reason: 'surroundings' });
    await page.run('list.firstElementChild.firstElementChild.textContent = "Alice"');
    expect(await page.ask(await page.resolve(ref), 'this.parentElement.firstChild.textContent')).toBe('Alice');
    expect(await page.refOf('button "Delete"')).toBe(ref);
    expect(await page.failure(other)).toMatchObject({ code: 'stale_ref', reason: 'surroundings' });
  });

  it('is not reported as gone while its element exists, whatever snapshots came in between', async () => {
    const page = await open('/one');
    const ref = await page.refOf('button "Buy"');
    await page.run('buy.textContent = "Sold"');
    await page.text();
    expect(await page.failure(ref)).toMatchObject({ code: 'stale_ref', reason: 'renamed' });
    await page.run('buy.remove()');
    expect(await page.failure(ref)).toMatchObject({ code: 'stale_ref', reason: 'gone' });
  });

  it('is not reused for an element that is bound to more than before', async () => {
    const page = await open('/growing');
    const ref = await page.refOf('button "Delete"');
    await page.run('list.querySelector("button").textContent = "Sure?"');
    await page.text();
    await page.run(`list.insertAdjacentHTML("afterbegin", "<div><div>Bob</div><button>Delete</button></div>");
      list.lastElementChild.firstElementChild.textContent = "Carol"; list.lastElementChild.lastElementChild.textContent = "Delete"`);
    await page.text();
    expect(await page.failure(ref)).toMatchObject({ code: 'stale_ref' });
  });

  it('is refused when its row differs only by the name of a link next to it', async () => {
    const page = await open('/inputs');
    const ref = await page.refOf('button "Delete"');
    await page.run('list.querySelector("a").textContent = "Dave"');
    expect((await page.failure(ref)).code).toBe('stale_ref');
  });

  it('stays valid while a person types next to it', async () => {
    const page = await open('/inputs');
    const ref = await page.refOf('button "Delete"');
    await page.run('list.querySelector("input").value = "Dave"');
    expect(await page.leads(ref)).toBe(true);
  });

  it('of a nameless control next to others is bound to its part of the page, not to the whole text', async () => {
    const page = await open('/tools');
    const ref = await page.refOf('button (', 1);
    await page.run('ticker.textContent = "2 visitors"');
    expect(await page.leads(ref)).toBe(true);
    expect(await page.refOf('button (', 1)).toBe(ref);
    await page.run('task.textContent = "Draw a car"');
    expect(await page.leads(ref)).toBe(false);
  });

  it('of a nameless control next to others is not bound to separate numbers and clocks', async () => {
    const page = await open('/slider');
    const ref = await page.refOf('checkbox (', 1);
    const handle = await page.refOf('clickable (', 1);
    await page.run('amount.textContent = "31"; clock.textContent = "Now 10:00:01 AM"');
    expect(await page.leads(ref)).toBe(true);
    expect(await page.leads(handle)).toBe(true);
    expect(await page.refOf('checkbox (', 1)).toBe(ref);
    await page.run('room.textContent = "14"');
    expect(await page.leads(ref)).toBe(false);
  });

  it('survives content that appears around its element under the pointer or with the focus, and no other change', async () => {
    const page = await open('/hover');
    const ref = await page.refOf('button "Delete"');
    await page.tab.session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: 60, y: 30 });
    expect(await page.text()).toContain('edited today');
    expect(await page.leads(ref)).toBe(true);
    expect(await page.refOf('button "Delete"')).toBe(ref);
    await page.run('list.firstElementChild.firstElementChild.textContent = "Dave"');
    expect(await page.failure(ref)).toMatchObject({ code: 'stale_ref', reason: 'surroundings' });
    await page.run('list.firstElementChild.firstElementChild.textContent = "Alice"');
    await page.tab.session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: 60, y: 500 });
    expect(await page.refOf('button "Delete"')).toBe(ref);
    await page.run('list.firstElementChild.append("archived")');
    expect(await page.leads(ref)).toBe(false);
  });

  it('is not bound to a number in the field next to it', async () => {
    const page = await open('/volumes');
    const ref = await page.refOf('button "Mute"', 1);
    await page.run('low.value = 7; shown.textContent = "7 %"');
    expect(await page.leads(ref)).toBe(true);
    await page.run('shown.textContent = "8 %"');
    expect(await page.leads(ref)).toBe(false);
  });

  it('is refused when the heading of its pane has changed, and unaffected by other panes', async () => {
    const page = await open('/pane');
    const [archive, write, settings] = await Promise.all(
      ['Archive', 'Write', 'Settings'].map((name) => page.refOf(`button "${name}"`)),
    );
    await page.run('document.querySelector("p").textContent = "More"');
    expect(await page.leads(archive ?? '')).toBe(true);
    await page.run('document.querySelector("h2").textContent = "Invoice 13"');
    expect((await page.failure(archive ?? '')).code).toBe('stale_ref');
    expect(await page.leads(write ?? '')).toBe(true);
    await page.run('document.querySelector("h1").textContent = "Calendar"');
    expect((await page.failure(write ?? '')).code).toBe('stale_ref');
    expect(await page.leads(settings ?? '')).toBe(true);
  });

  it('is bound to the heading before it, if headings precede their content', async () => {
    const page = await open('/sections');
    const begin = await page.refOf('button "Begin"');
    const finish = await page.refOf('button "Finish"');
    await page.run('document.querySelector("h2").textContent = "Another"');
    expect(await page.leads(begin)).toBe(false);
    expect(await page.leads(finish)).toBe(true);
  });

  it('stays the same when its element gets twins', async () => {
    const page = await open('/growing');
    const ref = await page.refOf('button "Delete"');
    await page.run('list.insertAdjacentHTML("afterbegin", "<div><div>Bob</div><button>Delete</button></div>")');
    expect(await page.refOf('button "Delete"', 1)).toBe(ref);
    await page.run('list.lastElementChild.firstElementChild.textContent = "Carol"');
    expect(await page.leads(ref)).toBe(false);
  });

  it('is refused when the name of the element changes', async () => {
    const page = await open('/one');
    const ref = await page.refOf('button "Buy"');
    await page.run('buy.textContent = "Sell everything"');
    expect(await page.failure(ref)).toMatchObject({ code: 'stale_ref', reason: 'renamed' });
  });

  it('is refused when the target of a link changes', async () => {
    const page = await open('/link');
    const ref = await page.refOf('link "Open"');
    expect(await page.leads(ref)).toBe(true);
    await page.run('document.querySelector("a").href = "/elsewhere"');
    expect((await page.failure(ref)).code).toBe('stale_ref');
  });

  it('is refused when the role of the element changes', async () => {
    const page = await open('/one');
    const ref = await page.refOf('button "Buy"');
    await page.run('buy.setAttribute("role", "checkbox")');
    expect((await page.failure(ref)).code).toBe('stale_ref');
  });

  it('is refused when the text of a clickable element without role or name changes', async () => {
    const page = await open('/plain');
    const ref = await page.refOf('clickable "Alice"');
    expect(await page.leads(ref)).toBe(true);
    await page.run('card.firstChild.data = "Bob"');
    expect((await page.failure(ref)).code).toBe('stale_ref');
  });

  it('does not depend on ids: swapping them changes nothing', async () => {
    const page = await open('/one');
    const ref = await page.refOf('button "Buy"');
    await page.run('(() => { const one = buy, other = sell; one.id = "sell"; other.id = "buy"; })()');
    expect(await page.ask(await page.resolve(ref), 'this.textContent')).toBe('Buy');
  });

  it('is refused while its element is detached from the document, and valid again afterwards', async () => {
    const page = await open('/one');
    const ref = await page.refOf('button "Buy"');
    await page.run('window.kept = buy; kept.remove()');
    expect(await page.leads(ref)).toBe(false);
    await page.run('document.querySelector("main").append(kept)');
    expect(await page.leads(ref)).toBe(true);
  });

  it('is refused when another element replaces its own and a similar one was next to it', async () => {
    const page = await open('/one');
    const ref = await page.refOf('button "Buy"');
    await page.run('[buy].forEach((one) => { one.after(one.cloneNode(true)); one.replaceWith(one.cloneNode(true)); })');
    expect(await page.failure(ref)).toMatchObject({ code: 'stale_ref', reason: 'gone' });
  });

  it('is refused when its element is hidden from all users', async () => {
    const page = await open('/list');
    const ref = await page.refOf('button "Delete"');
    await page.run('list.firstElementChild.hidden = true');
    expect((await page.failure(ref)).code).toBe('stale_ref');
  });
});

describe('a ref and documents', () => {
  it('survives a route change of a single-page application only with its element', async () => {
    const page = await open('/spa');
    const ref = await page.refOf('button "Next"');
    await page.run('history.pushState({}, "", "/spa/2")');
    expect(await page.leads(ref)).toBe(true);
    await page.run('view.innerHTML = "<h1>Two</h1><button>Next</button>"');
    expect((await page.failure(ref)).code).toBe('stale_ref');
  });

  it('is refused when its element has moved to another document', async () => {
    const page = await open('/framed');
    const ref = await page.refOf('button "Outer"');
    await page.run('frames[0].document.body.append(document.querySelector("button"))');
    expect((await page.failure(ref)).code).toBe('stale_ref');
    expect(await page.text()).toMatch(/iframe[^]*button "Outer"/);
  });

  it.each(['In open', 'In closed'])('reaches a button in a shadow root: %s', async (name) => {
    const page = await open('/shadow');
    expect(await page.ask(await page.resolve(await page.refOf(`button "${name}"`)), 'this.textContent')).toBe(name);
  });
});

describe('a selector', () => {
  it('finds the one element that it matches, in the page before its frames, and in open shadow roots', async () => {
    const page = await open('/framed');
    expect((await page.resolve('#in')).name).toBe('Inner');
    expect((await page.resolve('button')).name).toBe('Outer');
    expect((await (await open('/shadow')).resolve('#open')).role).toBe('generic');
    expect((await (await open('/shadow')).resolve('button')).name).toBe('In open');
  });

  it('that matches several elements is refused with all of them and their refs', async () => {
    const page = await open('/list');
    const failure = await page.failure('li button');
    expect(failure).toMatchObject({
      code: 'invalid_argument',
      problem: 'matches 3 elements, but must match exactly one',
    });
    const ref = /(@e\d+) button "Delete"/.exec('quoted' in failure ? (failure.quoted ?? '') : '')?.[1] ?? '';
    expect(await page.leads(ref)).toBe(true);
  });

  it('that matches nothing is refused with the lines that have its words, inside a fence', async () => {
    const failure = await (await open('/one')).failure('#buy-it');
    expect(failure).toMatchObject({ code: 'element_not_found', target: '#buy-it' });
    expect('near' in failure ? failure.near : '').toMatch(/^⟦\w{16}\n@e\d+ button "Buy"\n\w{16}⟧$/);
  });

  it('that is invalid is an invalid argument', async () => {
    expect((await (await open('/one')).failure('button[')).code).toBe('invalid_argument');
  });
});
