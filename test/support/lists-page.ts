/**
 * Lists that are redrawn as by frameworks: their data changes, and rows are re-created. Several records may have the
 * same words; only the page's own scripts know which one a row shows (`recordOf`).
 */
export const LISTS_PAGE = `<!doctype html><title>Lists</title><main></main><script>
  const main = document.querySelector('main');
  const WORDS = ['Milk', 'Bread', 'Tea', 'Salt'];
  const LISTS = ['Today', 'Later'];
  const rows = new WeakMap();
  let last = 0, records = [], hidden = '', shape = 'li', made = new Map();
  const fresh = (word, list) => ({ id: ++last, words: WORDS[word % WORDS.length], list, liked: false });
  function start(kind, words) {
    shape = kind; hidden = ''; made = new Map();
    records = words.map((word, at) => fresh(word, kind === 'one' ? 0 : at % 2));
    draw('all');
  }
  const OUTER = { li: 'li', one: 'li', div: 'div', tr: 'tr' };
  function row(record) {
    const element = document.createElement(OUTER[shape]);
    const cell = () => document.createElement(shape === 'tr' ? 'td' : shape === 'div' ? 'div' : 'span');
    const label = cell(), box = cell();
    box.innerHTML = '<button class="delete">Delete</button> <button class="like"></button> <a href="/open">Open</a> <input aria-label="Amount">';
    element.append(label, ' ', box);
    fill(element, record);
    return element;
  }
  function fill(element, record) {
    rows.set(element, record.id);
    element.firstChild.textContent = record.words;
    element.querySelector('.like').textContent = record.liked ? 'Unlike' : 'Like';
  }
  const shown = (list) => records.filter((record) => record.list === list && (hidden === '' || !record.words.includes(hidden)));
  function hosts() {
    main.innerHTML = LISTS.slice(0, shape === 'one' ? 1 : 2).map((name) => '<section><h2>' + name + '</h2>' +
      (shape === 'tr' ? '<table><tbody class="host"></tbody></table>' : shape === 'div' ? '<div class="host"></div>' : '<ul class="host"></ul>') + '</section>').join('');
  }
  const allHosts = () => [...document.querySelectorAll('.host')];
  function draw(how) {
    if (how === 'twice') { draw('rows'); draw('rows'); }
    if (how === 'all') hosts();
    if (how === 'rows' || how === 'all' || how === 'emptied')
      allHosts().forEach((host, list) => host.replaceChildren(...shown(list).map(row)));
    if (how === 'each')
      allHosts().forEach((host, list) => {
        const wanted = shown(list);
        while (host.children.length > wanted.length) host.lastChild.remove();
        wanted.forEach((record, at) => { const one = row(record); if (host.children[at]) host.children[at].replaceWith(one); else host.append(one); });
      });
    if (how === 'keyed') {
      const byId = new Map([...document.querySelectorAll('.host > *')].map((element) => [rows.get(element), element]));
      allHosts().forEach((host, list) => host.replaceChildren(...shown(list).map((record) => {
        const element = byId.get(record.id) ?? made.get(record.id) ?? row(record);
        made.set(record.id, element); fill(element, record); return element;
      })));
    }
  }
  const at = (n) => (records.length === 0 ? 0 : n % records.length);
  const deeds = {
    nothing() {}, reverse() { records.reverse(); }, rotate() { records.push(...records.splice(0, 1)); },
    remove(n) { records.splice(at(n), 1); },
    copy(n) { const one = records[at(n)]; if (one) records.splice(n % 2 ? at(n) + 1 : records.length, 0, { ...one, id: ++last }); },
    copyBefore(n) { const one = records[at(n)]; if (one) records.splice(at(n), 0, { ...one, id: ++last }); },
    firstOfEqual() { const one = records.findIndex((record, place) => records.some((other, later) => later > place && other.words === record.words && other.list === record.list)); if (one !== -1) records.splice(one, 1); },
    edit(n) { const one = records[at(n)]; if (one) one.words = WORDS[n % WORDS.length]; },
    add(n) { records.push(fresh(n, n % 2)); },
    like(n) { const one = records[at(n)]; if (one) one.liked = !one.liked; },
    move(n) { const one = records[at(n)]; if (one && shape !== 'one') one.list = 1 - one.list; },
    filter(n) { hidden = hidden === '' ? WORDS[n % WORDS.length] : ''; },
  };
  const task = () => new Promise((done) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = done; port2.postMessage(0); });
  async function play(steps) {
    for (const [deed, n, how] of steps) {
      deeds[deed](n);
      if (how === 'emptied') for (const host of allHosts()) host.replaceChildren();
      if (how === 'emptied' || how === 'later') await task();
      draw(how === 'later' ? 'rows' : how);
      await task();
    }
  }
  function recordOf(element) { return rows.get(element.closest('.host > *')) + ' ' + element.localName + element.className; }
</script>`;
