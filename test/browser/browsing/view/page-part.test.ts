import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CdpSession } from '#browsing/cdp/connection.ts';
import { prepareLabels } from '#generated/page-scripts.js';
import { PageWithRefs } from '#support/page-with-refs.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';

/** Elements of a document that is read in parts. */
const LARGE = 9_000;

let browser: TestBrowser;
let context: string;
let body = '';

beforeAll(async () => {
  browser = await browserWith(() => `<!doctype html><title>T</title><body>${body}`);
  context = await browser.openContext();
});

afterAll(() => browser.close());

async function open(html: string): Promise<PageWithRefs> {
  body = html;
  return new PageWithRefs(await browser.openTab(context, 'http://site.example/'));
}

function many(count: number, one: (at: number) => string): string {
  return Array.from({ length: count }, (_, at) => one(at)).join('');
}

/** All parts of a page, each with all its lines. */
async function allParts(page: PageWithRefs, options: { find?: string; target?: string } = {}): Promise<string[]> {
  const texts: string[] = [];
  for (let after: string | undefined; ;) {
    const { text, next } = await page.snapshot({ ...options, maxBytes: 60_000, after });
    texts.push(text);
    if (next === null) return texts;
    after = next;
  }
}

describe('a page with very many elements', () => {
  it('is described in parts with a limited number of nodes, which together show all of it once', async () => {
    const page = await open(`<h1>Index</h1><p>${many(LARGE, (at) => `<a href="/${at}">link ${at}.</a> `)}</p>`);
    const asked = nodesAsked(page);
    const first = await page.snapshot();
    expect(asked()).toBeLessThan(10_000);
    expect(first.text).toContain(
      '(a large page of about 9000 elements: this is its beginning; make the call after "Next"',
    );
    expect(first.next).not.toBeNull();
    const texts = await allParts(page);
    const shown = texts.flatMap((text) => [...text.matchAll(/link (\d+)\./gu)].map(([, at]) => Number(at)));
    expect(shown).toEqual(Array.from({ length: LARGE }, (_, at) => at));
    expect(texts.at(-1)).toContain('this is its last part)');
    expect(Math.max(...texts.flatMap((text) => text.split('\n').map((line) => line.length)))).toBeLessThan(3_000);
  });

  it.each(['opacity: 0', 'position: absolute'])(
    'has the labels of its boxes (%s) found in short steps, so that Chromium builds the tree quickly',
    async (style) => {
      const page = await open(
        many(
          LARGE / 2,
          (at) => `<input type="checkbox" id="b${at}" style="${style}"><label for="b${at}">Box ${at}</label>`,
        ),
      );
      const sent = vi.spyOn(CdpSession.prototype, 'send');
      const { text } = await page.snapshot();
      expect(text).toMatch(/^@e1 checkbox "Box 0"\n@e2 checkbox "Box 1"$/mu);
      const steps = sent.mock.calls.map(([method, ...params]) =>
        JSON.stringify(params).includes(JSON.stringify(prepareLabels)) ? 'labels' : method,
      );
      const last = steps.lastIndexOf('labels');
      expect(sent.mock.settledResults[last]?.value).toMatchObject({ result: { value: -1 } });
      expect(steps.findIndex((method) => method.startsWith('Accessibility.'))).toBeGreaterThan(last);
    },
  );

  it.each([
    ['without a field', '<label>Name</label>'],
    ['around a field', '<label>x <input id="a" list="b" value="c"></label>'],
  ])('shows its thousands of labels on one line again after the focus moved: labels %s', async (_, label) => {
    const page = await open(`<input aria-label="First"><button>Save</button>${many(LARGE, () => label)}`);
    const first = await page.snapshot();
    await page.run('document.querySelector("input").focus()');
    expect((await page.snapshot()).total).toBe(first.total);
    expect(await page.text({ find: 'save' })).toContain('button "Save"');
  });

  it('keeps rows whole, and the refs of every part are usable', async () => {
    const rows = many(LARGE / 3, (at) => `<li><b>Row ${at}</b><button>Delete</button></li>`);
    const page = await open(`<ul>${rows}</ul><button>Save</button>`);
    const texts = await allParts(page);
    expect(texts.join('\n').match(/Row \d+ \[@e\d+ button "Delete"\]|Row \d+\n/gu)?.length).toBe(LARGE / 3);
    const [, ref = ''] = /Row 2500[^@]*(@e\d+) button "Delete"/u.exec(texts.join('\n')) ?? [];
    const { objectId } = await page.resolve(ref);
    expect(objectId).not.toBe('');
    await page.run('document.querySelectorAll("b")[2500].textContent = "Row 1"');
    expect(await page.failure(ref)).toMatchObject({ code: 'stale_ref', reason: 'surroundings' });
    await page.run(
      'document.querySelectorAll("b")[2500].textContent = "Row 2500"; document.querySelectorAll("li")[2500].remove()',
    );
    expect(await page.failure(ref)).toMatchObject({ code: 'stale_ref', reason: 'gone' });
  });

  it('shows what is in an open drop-down, whose parts Chromium lays out in slots', async () => {
    const page = await open(
      `<details open><summary>Contents</summary><details open><summary>Inner</summary>${many(LARGE, (at) => `<p>item ${at}.</p>`)}</details></details>`,
    );
    const texts = await allParts(page);
    expect(texts[0]).toContain('summary "Contents" expanded');
    expect(texts[0]).toContain('summary "Inner" expanded');
    const shown = texts.flatMap((text) => [...text.matchAll(/item (\d+)\./gu)].map(([, at]) => Number(at)));
    expect(shown).toEqual(Array.from({ length: LARGE }, (_, at) => at));
    expect((await allParts(page, { find: `item ${LARGE - 1}.` })).join('\n')).toContain(`item ${LARGE - 1}.`);
  });

  it('is searched as a whole, and a selector shows one part of it', async () => {
    const rows = many(LARGE / 3, (at) => `<tr id="r${at}"><td>Cell ${at}</td><td>of ${at}</td></tr>`);
    const page = await open(`<table>${rows}</table>`);
    const found = await allParts(page, { find: 'Cell 2999' });
    expect(found.join('\n')).toContain('| Cell 2999 | of 2999');
    expect(await page.text({ target: '#r2800' })).toContain('Cell 2800');
    expect(await page.text({ target: '#r2800' })).not.toContain('Cell 2801');
  });

  it('reports that the part to continue with is gone', async () => {
    const page = await open(many(LARGE, (at) => `<div>Text ${at}</div>`));
    const texts: string[] = [];
    let after: string | undefined;
    while (!texts.join('\n').includes('is its beginning') || !(after ?? '').startsWith('s0-')) {
      const { text, next } = await page.snapshot({ maxBytes: 60_000, after });
      texts.push(text);
      after = next ?? undefined;
    }
    await page.run(
      'document.body.replaceChildren(...[...document.body.children].map((child) => child.cloneNode(true)))',
    );
    await expect(page.snapshot({ after })).rejects.toMatchObject({
      failure: { code: 'invalid_argument', field: 'after' },
    });
    // A page that is small now is shown as a whole.
    await page.run('document.body.innerHTML = "<button>Only</button>"');
    expect(await page.text()).toMatch(/Only/u);
    expect(await page.text()).toMatch(/^@e\d+ button "Only"$/u);
  });

  it('shows words as parts of a line, which the accessibility tree does not contain', async () => {
    const page = await open(`<p>${many(LARGE, (at) => `<span>word${at}</span> `)}</p><p>End.</p>`);
    const texts = await allParts(page);
    expect(texts[0]).toContain('word0 word1 word2 ');
    expect(texts.length).toBeGreaterThan(2);
    for (const text of texts.slice(0, -1))
      expect(text).toMatch(/^word\d+ word\d+ .*\(\+\d+ characters: browser_read\)$/mu);
    expect(texts.at(-1)).toContain('End.');
  });

  it('skips undisplayed elements, and includes shadow trees', async () => {
    const page = await open(`<div style="display:none">${many(LARGE, () => '<i>concealed</i>')}</div><x-app></x-app>
      <script>const root = document.querySelector('x-app').attachShadow({ mode: 'open' });
      root.innerHTML = '<slot></slot>' + ${JSON.stringify(many(LARGE, (at) => `<p>Shadow ${at}`))};
      document.querySelector('x-app').innerHTML = '<b>Slotted</b>';</script>`);
    const texts = (await allParts(page)).join('\n');
    expect(texts).toContain('Slotted');
    expect(texts.match(/Shadow \d+/gu)?.length).toBe(LARGE);
    expect(texts).not.toContain('concealed');
  });
});

describe('a page with very long texts', () => {
  const WORDS = `Array.from({ length: 96_000 }, (_, at) => 'wor' + (at % 10) + ' ').join('')`;
  const FIELDS = {
    'a text area': '<textarea aria-label="Note"></textarea>',
    'a field': '<input aria-label="Note">',
    'an editor': '<div contenteditable role="textbox" aria-label="Note"></div>',
  };

  it.each(Object.entries(FIELDS))('shows the beginning of %s and counts the rest', async (_, field) => {
    const page = await open(`<h1>Notes</h1><form><p>Before</p>${field}<p>After</p><button>Save</button></form>`);
    await page.run(
      `const field = document.querySelector('[aria-label]'); field[field.localName === 'div' ? 'textContent' : 'value'] = ${WORDS}`,
    );
    await page.tab.sizes.count(page.tab.main());
    const asked = nodesAsked(page);
    const text = await page.text();
    expect(asked()).toBeLessThan(7_000);
    expect(text).toMatch(
      /^# Notes\nBefore\n@e\d+ textbox "Note" = "wor0 wor1 .*…" \((?:480000|479999) characters: browser_read \{"selector":"@e\d+"\}\)\nAfter\n@e\d+ button "Save"$/u,
    );
    expect(await page.text({ find: 'wor7' })).toContain('textbox "Note"');
    expect(await page.text({ find: 'After' })).toContain('After');
    const { name } = await page.resolve('textbox "Note"');
    expect(name).toBe('Note');
  });

  it.each(['input', 'textarea'])('describes the value of a very long %s once', async (tag) => {
    const page = await open(`<${tag} aria-label="Note"></${tag}><button>Save</button>`);
    await page.run(`document.querySelector('${tag}').value = ${WORDS}.repeat(3)`);
    await page.tab.sizes.count(page.tab.main());
    const asked = nodesAsked(page);
    expect(await page.text()).toMatch(/"wor0 .*…" \((?:1440000|1439999) characters: .*\n@e\d+ button "Save"$/u);
    expect(asked()).toBeLessThan(20);
  });

  it('counts a text without an element around it in a shadow tree', async () => {
    const page = await open('<div></div><button>Save</button>');
    await page.run(`document.querySelector('div').attachShadow({ mode: 'open' }).append(${WORDS})`);
    await page.text();
    const noted = await page.tab.sizes.of(page.tab.main());
    expect(noted).toBeGreaterThan(5_000);
    expect(noted).toBe(await page.tab.sizes.count(page.tab.main()));
  });

  it('is described in parts if its paragraphs are long', async () => {
    const page = await open('<main></main>');
    await page.run(`const words = ${WORDS}.slice(0, 8_000);
      for (let at = 0; at < 300; at += 1) document.querySelector('main').append(Object.assign(document.createElement('p'), { textContent: at + ': ' + words }))`);
    await page.tab.sizes.count(page.tab.main());
    const asked = nodesAsked(page);
    const { text, next } = await page.snapshot();
    expect(asked()).toBeLessThan(6_000);
    expect(text).toMatch(/^ 0: wor0 .*\(\+\d+ characters: browser_read\)$/mu);
    expect(next).not.toBeNull();
  });

  it('is described in parts if its links have long addresses', async () => {
    const path = 'p'.repeat(600);
    const page = await open(many(7_900, (at) => `<a href="/${path}${at}">link ${at}.</a> `));
    const asked = nodesAsked(page);
    const { text, next } = await page.snapshot();
    expect(asked()).toBeLessThan(6_000);
    expect(text).toContain('link 0.');
    expect(next).not.toBeNull();
    expect(await page.text({ find: 'link 7777.' })).toContain('link 7777.');
  });
});

describe('a page whose elements are named by very many others', () => {
  const button = (names: string) => (at: number) => `<button id="b${at}" ${names}>word ${at}</button>`;
  const all = (count: number) => many(count, (at) => `b${at} `);

  it.each([
    ['by one long text', `<p id="all">${'kelp '.repeat(2_000)}</p>${many(2_000, button('aria-labelledby="all"'))}`],
    ['by their container', `<div id="all">${many(3_000, button('aria-labelledby="all"'))}</div>`],
    ['by all of them', many(400, button(`aria-labelledby="${all(400)}"`))],
    [
      'by a field with many labels',
      `<input id="all">${many(1_000, (at) => `<label for="all">kelp ${at}</label>`)}
      ${many(1_000, button('aria-labelledby="all"'))}`,
    ],
    [
      'by a long description',
      `<p id="all">${'kelp '.repeat(2_000)}</p>${many(2_000, button('aria-describedby="all"'))}`,
    ],
  ])('is described in parts if they are named %s', async (_, html) => {
    const page = await open(`<h1>Top</h1>${html}`);
    const chars = charsAsked(page);
    const { text, next } = await page.snapshot();
    expect(chars()).toBeLessThan(3_000_000);
    expect(text).toMatch(/^# Top$/mu);
    expect(next).not.toBeNull();
    expect(await page.text({ target: '#b7' })).toContain('button');
  });

  it('is described as a whole if the names are short', async () => {
    const page = await open(
      `<h1>Top</h1>${many(1_000, (at) => `<i id="i${at}">word ${at}</i><button aria-labelledby="i${at} i7"></button>`)}`,
    );
    const { text } = await page.snapshot({ maxBytes: 60_000 });
    expect(text).not.toContain('large page');
  });
});

/** Counts the characters of all nodes that the browser describes to us. */
function charsAsked(page: PageWithRefs): () => number {
  const sent = vi.spyOn(page.tab.session, 'send');
  return () => JSON.stringify(sent.mock.settledResults.map(({ value }) => value)).length;
}

/** Counts the nodes that the browser describes to us. */
function nodesAsked(page: PageWithRefs): () => number {
  const sent = vi.spyOn(page.tab.session, 'send');
  return () => {
    const answers: unknown[] = sent.mock.settledResults.map(({ value }) => value);
    const lists = answers.flatMap((answer) =>
      typeof answer === 'object' && answer !== null && 'nodes' in answer && Array.isArray(answer.nodes)
        ? answer.nodes.length
        : [],
    );
    return lists.reduce((sum, length) => sum + length, 0);
  };
}
