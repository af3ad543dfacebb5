import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { visibleText } from '#core/text/visible-text.ts';
import { callTool, structured } from '#support/mcp-call.ts';
import { pageOf, textOf } from '#support/oauth-browser.ts';
import type { Browser } from '#support/oauth-browser.ts';
import { ORIGIN, PASSPHRASE, personsBrowser } from '#support/oauth-journey.ts';
import { stories } from '#support/stories.ts';

const BOARD = 'https://board.acme.dev/passages';
const CARE = 'https://kettle.acme.dev/care';

const answers = z.object({
  passages: z.array(
    z.object({ url: z.string(), cursor: z.string(), L_start: z.int(), L_end: z.int(), text: z.string() }),
  ),
  pages: z.array(z.object({ asked: z.string(), passages: z.int(), error: z.string().optional() })),
});

async function find(question: string, urls: readonly string[]) {
  return answers.parse(structured(await callTool('modern', 'find_passages', { question, urls, max_passages: 10 })));
}

let owner: Browser;
beforeAll(async () => {
  owner = personsBrowser();
  await owner.submit(pageOf(await owner.get(`${ORIGIN}/sign-in`)), '/sign-in', { passphrase: PASSPHRASE });
});

/** The lines that a citation page marks, by their number. */
async function marked(cursor: string, start: number, end: number): Promise<Map<number, string>> {
  const { html } = pageOf(await owner.get(`${ORIGIN}/c/${cursor}/L${start}-L${end}`));
  const rows = html.split(/<(?:li|div|tr) id="L(?=\d+" class="row)/u).slice(1);
  return new Map(
    rows.flatMap((row) => {
      const inner = row.slice(row.indexOf('>') + 1).replace(/<a class="n".*?<\/a>|<\/section>.*/gsu, '');
      const words = [...inner.matchAll(/<mark>(.*?)<\/mark>/gsu)].map(([, text = '']) => textOf(text));
      return words.length === 0 ? [] : [[Number.parseInt(row, 10), letters(words.join(''))] as const];
    }),
  );
}

/** The page shows text, not its marks. */
const letters = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, '');

const word = fc.constantFrom(
  'walrus',
  'kettle',
  'größe',
  '検索する',
  '--max-time',
  'wal_level',
  '`a`',
  '&lt;b&gt;',
  '*x*',
);
const words = fc.array(word, { minLength: 1, maxLength: 9 }).map((some) => some.join(' '));
const block = fc.oneof(
  words.map((text) => `<p>${text}</p>`),
  words.map((text) => `<h2>${text}</h2>`),
  words.map((text) => `<pre><code>${text}\n\n  ${text}</code></pre>`),
  fc.array(words, { minLength: 1, maxLength: 4 }).map((items) => `<ul><li>${items.join('</li><li>')}</li></ul>`),
  fc
    .array(words, { minLength: 1, maxLength: 4 })
    .map((rows) => `<table><tr><td>${rows.join('</td></tr><tr><td>')}</td></tr></table>`),
  words.map((text) => `<dl><dt>${text}</dt><dd>${text}</dd></dl>`),
);
const page = fc.array(block, { minLength: 1, maxLength: 20 }).map((blocks) => `<main>${blocks.join('')}</main>`);

describe('a passage', () => {
  it('has the exact words of its lines, and its citation opens on them, whatever the page', async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(page, words, async (html, question) => {
        await fetch(BOARD, { method: 'POST', body: html });
        await callTool('modern', 'web_open', { url: BOARD, refresh: true });
        for (const { cursor, L_start, L_end, text } of (await find(question, [BOARD])).passages) {
          count += 1;
          const all = String(structured(await callTool('modern', 'scroll', { cursor, loc: L_start }))['text']);
          const lines = all.split('\n').slice(0, L_end - L_start + 1);
          expect(letters(text)).toBe(letters(lines.map(visibleText).join('')));
          const onPage = [...(await marked(cursor, L_start, L_end)).values()];
          expect(onPage.join('')).toBe(letters(text));
        }
      }),
      { numRuns: stories(6) },
    );
    expect(count).toBeGreaterThan(0);
  });
});

describe('one bad page among ten', () => {
  it('costs the others nothing: an unreachable, a missing, a forbidden and a hostile one', async () => {
    const question = 'How do I remove limescale with vinegar?';
    const [alone] = (await find(question, [CARE])).passages;
    const bad = [
      'https://nobody.invalid/',
      'https://kettle.acme.dev/missing',
      'https://kettle.acme.dev/closed',
      'http://127.0.0.1/',
      'https://hostile.acme.dev/page',
      'https://kettle.acme.dev/repeats',
      'https://kettle.acme.dev/garden',
    ];
    const { passages, pages } = await find(question, [...bad, CARE]);
    expect(pages.map(({ asked }) => asked)).toEqual([...bad, CARE]);
    expect(pages.slice(0, 4).every(({ error }) => error !== undefined)).toBe(true);
    const { cursor: _own, ...wanted } = alone ?? { cursor: '' };
    expect(passages[0]).toMatchObject(wanted);
  });

  it('is not preferred because it repeats the words of the question twenty thousand times', async () => {
    const question = 'How often do I remove limescale?';
    const [alone] = (await find(question, [CARE])).passages;
    const repeating = ['prose', 'items', 'words'].map((name) => `https://kettle.acme.dev/repeats-${name}`);
    const { passages, pages } = await find(question, [...repeating, CARE]);
    expect(pages.map(({ error }) => error)).toEqual([undefined, undefined, undefined, undefined]);
    expect(passages[0]?.text).toBe(alone?.text);
  });
});
