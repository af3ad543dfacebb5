import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { foldForSearch } from '#core/text/fold.ts';
import { visibleText } from '#core/text/visible-text.ts';
import { grantFor } from '#support/grants.ts';
import { callTool, structured } from '#support/mcp-call.ts';
import type { Answer } from '#support/mcp-call.ts';

const KETTLE = 'https://kettle.acme.dev';
const page = (...names: string[]) => names.map((name) => `${KETTLE}/${name}`);

const answers = z.object({
  passages: z.array(
    z.object({
      url: z.string(),
      headings: z.array(z.string()),
      cursor: z.string(),
      L_start: z.number(),
      L_end: z.number(),
      citation: z.string(),
      text: z.string(),
      belongs_to: z.object({ line: z.number(), text: z.string() }).optional(),
    }),
  ),
  pages: z.array(
    z.object({
      asked: z.string(),
      passages: z.number(),
      error: z.string().optional(),
      cursor: z.string().optional(),
      nearest_headings: z.array(z.string()).optional(),
      notes: z.array(z.string()),
    }),
  ),
  notes: z.array(z.string()),
});

const find = (args: Record<string, unknown>, token?: string) =>
  callTool('modern', 'find_passages', args, token === undefined ? {} : { token });
const found = async (args: Record<string, unknown>, token?: string) =>
  answers.parse(structured(await find(args, token)));
/** Without spaces between lines, which depend on the language. */
const folded = (text: string) => foldForSearch(text).replaceAll(' ', '');
const textOf = (answer: Answer) => answer.result?.content?.[0]?.text ?? '';

describe('find_passages', () => {
  it('answers from the page with the answer, with headings, lines and a citation, and lists what matches nowhere', async () => {
    const { passages, pages } = await found({
      question: 'How do I remove limescale?',
      urls: page('garden', 'care', 'options'),
    });
    expect(passages[0]).toMatchObject({ url: `${KETTLE}/care`, headings: ['Kettle care', 'Removing limescale'] });
    expect(passages[0]?.text).toContain('boil half a litre of vinegar');
    expect(passages[0]?.citation).toBe(`【${passages[0]?.cursor}†L${passages[0]?.L_start}-L${passages[0]?.L_end}】`);
    expect(pages.map(({ passages: count }) => count)).toEqual([0, 1, 0]);
    expect(pages[0]?.nearest_headings).toEqual(['Roses', 'Cutting']);
  });

  it('shows the visible text of its lines, and cite finds that text within them', async () => {
    for (const [question, name] of [
      ['limescale vinegar', 'care'],
      ['What is the default of --max-time?', 'options'],
      ['K18', 'options'],
      ['酢で手入れする方法', 'japanese'],
    ] as const) {
      const { passages } = await found({ question, urls: page(name) });
      for (const { cursor, L_start, L_end, text, belongs_to: lead } of passages) {
        expect(lead !== undefined && lead.line >= L_start && lead.line <= L_end).toBe(false);
        const loc = { cursor, loc: L_start, num_lines: Math.max(20, L_end - L_start + 1) };
        const lines = String(structured(await callTool('modern', 'scroll', loc))['text']).split('\n');
        const seen = lines.slice(0, L_end - L_start + 1).map(visibleText);
        expect(folded(text)).toBe(folded(seen.join(' ')));
        for (const quote of text.split('\n')) {
          const cited = structured(await callTool('modern', 'cite', { cursor, quote }));
          expect(cited).toMatchObject({ cursor });
          expect(Number(cited['L_start'])).toBeGreaterThanOrEqual(L_start);
          expect(Number(cited['L_end'])).toBeLessThanOrEqual(L_end);
        }
      }
    }
  });

  it('groups passages by page: one URL, then the rank, new headings and citation of each passage', async () => {
    const answer = await find({ question: 'kettle vinegar', urls: page('care', 'options'), max_passages: 10 });
    const text = textOf(answer);
    const { passages } = answers.parse(structured(answer));
    const cursors = new Set(passages.map(({ cursor }) => cursor));
    expect(cursors.size).toBe(2);
    for (const { url } of passages) expect(text.split(`URL: ${url}\n`)).toHaveLength(2);
    for (const [index, { citation }] of passages.entries())
      expect(text).toMatch(new RegExp(`^${index + 1}\\. (?:.* )?${citation}$`, 'm'));
    expect(text).toContain('… › ');
    expect(text.match(/^1\. .*$/m)?.[0]).toContain(passages[0]?.headings.join(' › '));
  });

  it('shows no URL of a link, the heading path once, and one line number for each paragraph', async () => {
    const text = textOf(await find({ question: 'limescale vinegar kettle', urls: page('care'), max_passages: 10 }));
    const body = text.slice(text.indexOf('⟦'));
    expect(body.match(/Kettle care ›/g)?.length ?? 0).toBeLessThanOrEqual(
      new Set(body.match(/Kettle care › [^\n]*/g)).size,
    );
    expect(body).not.toContain('](');
  });

  it('ranks the exact spelling of an identifier first, and shows the term with its definition', async () => {
    const { passages } = await found({ question: 'What is the default of --max-time?', urls: page('options', 'care') });
    expect(passages[0]?.text).toContain('The default is 240.');
    expect(passages[0]?.text).toContain('--max-time');
  });

  it('shows a table row with the header of its columns', async () => {
    const { passages } = await found({ question: 'K18', urls: page('options') });
    const [first] = passages;
    expect(first?.text).toContain('K18');
    expect(`${first?.belongs_to?.text ?? ''}\n${first?.text}`).toContain('Meaning');
  });

  it('finds by another phrasing what the words of the question miss', async () => {
    const question = 'How do I get rid of the white crust?';
    const urls = page('garden', 'care', 'options');
    const alone = await found({ question, urls });
    expect(alone.passages[0]?.text ?? '').not.toContain('boil half a litre of vinegar');
    const { passages } = await found({ question, also: ['remove limescale', 'descaling with vinegar'], urls });
    expect(passages[0]).toMatchObject({ url: `${KETTLE}/care`, headings: ['Kettle care', 'Removing limescale'] });
    expect(passages[0]?.text).toContain('boil half a litre of vinegar');
  });

  it('accepts at most four other phrasings of at most 200 characters', async () => {
    for (const also of [['a', 'b', 'c', 'd', 'e'], ['x'.repeat(201)], ['']]) {
      const answer = await find({ question: 'vinegar', also, urls: page('care') });
      expect(textOf(answer)).toContain('invalid_argument');
    }
    const { passages } = await found({
      question: 'vinegar',
      also: ['x'.repeat(200), 'b', 'c', '?'],
      urls: page('care'),
    });
    expect(passages[0]?.text).toContain('vinegar');
  });

  it('finds words in a script without spaces', async () => {
    const { passages } = await found({ question: '酢で手入れする方法', urls: page('japanese', 'care') });
    expect(passages[0]).toMatchObject({ headings: ['取扱説明書', 'お手入れ'] });
    expect(passages[0]?.text).toContain('酢を沸かして');
  });

  it('does not prefer a page that repeats the words of the question', async () => {
    const { passages } = await found({
      question: 'how often remove limescale',
      urls: page('repeats', 'care'),
      max_passages: 2,
    });
    expect(passages[0]?.url).toBe(`${KETTLE}/care`);
    expect(new Set(passages.map(({ text }) => text)).size).toBe(passages.length);
  });

  it('shows a text with several URLs once, and reports this', async () => {
    const { passages, pages } = await found({ question: 'vinegar', urls: page('care', 'care-copy', 'care') });
    expect(passages.filter(({ text }) => text.includes('vinegar')).length).toBe(1);
    expect(pages[2]?.notes.join(' ')).toContain('the same text');
  });

  it('opens a URL once that is given ten times', async () => {
    const urls = Array.from({ length: 10 }, () => `${KETTLE}/care`);
    const { passages, pages } = await found({ question: 'vinegar', urls });
    expect(passages.length).toBe(1);
    expect(pages.slice(1).every(({ notes }) => notes.join(' ').includes('the same text'))).toBe(true);
  });

  it.each([
    'vinegar\0limescale',
    '\u202evinegar \u0627\u0644\u062e\u0644',
    '(vinegar+)+$ [[[ .* \\',
    '"vinegar',
    'vinegar,limescale,--max-time',
    '__proto__ constructor vinegar',
    'vinegar \ud800',
    `vinegar ${'a '.repeat(495)}`,
  ])('answers %j, whatever the other arguments are', async (question) => {
    const answer = await find({ question, urls: page('care', 'garden') });
    expect(answers.parse(structured(answer)).passages[0]?.text).toContain('vinegar');
  });

  it('ranks worse pages lower, and shows them when more passages are requested', async () => {
    const urls = page('options', 'care', 'garden');
    const answer = await find({ question: 'kettle', urls, max_passages: 1 });
    const { pages } = answers.parse(structured(answer));
    const others = pages.flatMap(({ passages }, n) => (passages === 0 && n < 2 ? [n + 1] : []));
    expect(textOf(answer)).toContain(`Page ${others.join()} of this call: weaker matches only.`);
    expect((await found({ question: 'kettle', urls, max_passages: 10 })).pages[1]?.passages).toBeGreaterThan(0);
  });

  it('reports the failure of each page in its place, and answers from the others', async () => {
    const urls = [`${KETTLE}/missing`, `${KETTLE}/care`, `${KETTLE}/closed`, 'http://127.0.0.1/', 'ftp://x'];
    const answer = await find({ question: 'vinegar', urls, cursors: ['c_aaaaaaaaaaaaaaaa'] });
    const { passages, pages } = answers.parse(structured(answer));
    expect(passages[0]?.url).toBe(`${KETTLE}/care`);
    expect(pages.map(({ error }) => error)).toEqual([
      'http_error',
      undefined,
      'robots_disallowed',
      'ssrf_blocked',
      expect.any(String),
      'unknown_cursor',
    ]);
    expect(textOf(answer)).toContain(`Not searched: ${KETTLE}/missing: Error http_error`);
  });

  it('reports that nothing matches, and asks for a place to search', async () => {
    const answer = await find({ question: 'quantum chromodynamics', urls: page('care') });
    const { passages, notes, pages } = answers.parse(structured(answer));
    expect(passages).toEqual([]);
    expect(notes.join(' ')).toContain('Nothing in these pages matches');
    expect(pages[0]?.cursor).toMatch(/^c_/);
    expect(textOf(answer)).toContain('Nearest headings: Kettle care');
  });

  it('reports that nothing was searched if no page could be opened', async () => {
    const answer = await find({ question: 'how to descale', urls: page('missing') });
    const { notes } = answers.parse(structured(answer));
    expect(notes).toEqual(['No page could be opened, so nothing was searched.']);
    expect(textOf(answer)).not.toContain('matches the question');
  });

  it('accepts cursors of pages, but not those of other users', async () => {
    const token = await grantFor('somebody-with-a-kettle', ['web:read']);
    const theirs = structured(await callTool('modern', 'open_url', { url: `${KETTLE}/care` }, { token }))['cursor'];
    const own = await found({ question: 'vinegar', cursors: [theirs] }, token);
    expect(own.passages[0]).toMatchObject({ cursor: theirs });
    const { passages, pages } = await found({ question: 'vinegar', cursors: [theirs] });
    expect(passages).toEqual([]);
    expect(pages[0]?.error).toBe('unknown_cursor');
  });
});

describe('find_passages without addresses', () => {
  it('searches the pages that were opened before, with cursors that scroll accepts', async () => {
    await callTool('modern', 'open_url', { url: `${KETTLE}/care` });
    const answer = await find({ question: 'How do I get limescale out of the kettle with vinegar?' });
    const { passages, notes } = answers.parse(structured(answer));
    expect(passages[0]?.text).toContain('half a litre of vinegar');
    expect(notes.join(' ')).toContain('opened on this server before');
    const { cursor = '', L_start = 0, text = '' } = passages[0] ?? {};
    const lines = String(structured(await callTool('modern', 'scroll', { cursor, loc: L_start }))['text']).split('\n');
    expect(folded(lines.map(visibleText).join(' ')).startsWith(folded(text))).toBe(true);
  });

  it('also searches other phrasings', async () => {
    await callTool('modern', 'open_url', { url: `${KETTLE}/care` });
    const question = 'How do I get rid of the white crust?';
    const { passages } = await found({ question, also: ['limescale in the kettle', 'boil vinegar and leave it'] });
    expect(passages[0]?.text).toContain('half a litre of vinegar');
  });

  it('never shows a page that is private to another user', async () => {
    const token = await grantFor('somebody-with-a-share', ['web:read']);
    const url = 'https://shares.acme.dev/s/Ab3dE9xQ7wZr';
    const text = String(structured(await callTool('modern', 'open_url', { url }, { token }))['text']);
    const question = (/[A-Z][^.\n]*\./.exec(text) ?? [''])[0];
    const own = await found({ question }, token);
    expect(own.passages.map((one) => one.url)).toContain(url);
    const others = await found({ question });
    expect(others.passages.map((one) => one.url)).not.toContain(url);
  });

  it('reports that nothing matches', async () => {
    const { passages, notes } = await found({ question: 'zyzzyva quux' });
    expect(passages).toEqual([]);
    expect(notes.join(' ')).toContain('Pass addresses of pages as urls');
  });
});
