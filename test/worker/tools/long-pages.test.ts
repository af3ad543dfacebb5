import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { serverWith } from '../../support/server-with.ts';
import { LONG_HTML_SECTIONS } from '../../support/long-html.ts';
import { LONG_PDF_PAGES } from '../../support/long-pdf.ts';
import { callTool, structured } from '../../support/mcp-call.ts';

const PAGE = 'https://docs.acme.dev/long.html';
const PDF = 'https://docs.acme.dev/long.pdf';
const LAST_LAMP = `lamp-${LONG_HTML_SECTIONS}`;
const NEXT = `The next part: open_url {"url":"${PAGE}#page=2"}.`;

const viewOf = z.object({
  url: z.string().default(''),
  text: z.string(),
  render: z.string(),
  cursor: z.string(),
  viewport: z.object({ start: z.number(), end: z.number() }),
});
type View = z.infer<typeof viewOf>;
/** Each part is read once for all tests, because fresh parts are shown from the store. */
const send = serverWith({ CACHE_TTL_SECONDS: '3600' });

async function textOf(tool: string, args: Record<string, unknown>, to = send): Promise<string> {
  return (await callTool('modern', tool, args, { send: to })).result?.content?.[0]?.text ?? '';
}

async function view(tool: string, args: Record<string, unknown>, to = send): Promise<View> {
  return viewOf.parse(structured(await callTool('modern', tool, args, { send: to })));
}

async function wholeOf(url: string): Promise<{ text: string; end: string }> {
  let shown = await view('open_url', { url, num_lines: 200 });
  let text = shown.text;
  while (shown.render.includes('Next: scroll')) {
    shown = await view('scroll', { cursor: shown.cursor, loc: shown.viewport.end + 1, num_lines: 200 });
    text += `\n${shown.text}`;
  }
  return { text, end: shown.render.split('\n').at(-1) ?? '' };
}

describe('an HTML page that is too long for one document', () => {
  it('is read to its end part by part, with each lamp once, and no part but the last ends the page', async () => {
    const parts = [await wholeOf(PAGE)];
    for (let next = nextOf(parts); next !== null; next = nextOf(parts)) parts.push(await wholeOf(next));
    const all = parts.map(({ text }) => text).join('\n');
    expect(parts.length).toBeGreaterThan(1);
    const lamps = [...all.matchAll(/^## Lamp (\d+)$/gm)].map(([, n]) => Number(n));
    expect(lamps).toEqual(Array.from({ length: LONG_HTML_SECTIONS }, (_, index) => index + 1));
    for (const edge of ['begins', 'ends'])
      expect(all.match(new RegExp(`Lamp \\d+ ${edge} here`, 'g'))?.length).toBe(LONG_HTML_SECTIONS);
    for (const { text, end } of parts) {
      expect(text.match(/^#+ .*/m)?.[0]).toMatch(/^# The lamp manual$|^## Lamp \d+$/);
      expect(end).not.toContain('end of the page');
    }
    expect(parts.at(-1)?.end).toBe(`This is the end of page ${parts.length} of ${parts.length}, the last part.`);
  });

  it('shows in its first view which part it is, and the call for the next', async () => {
    const first = await view('open_url', { url: PAGE });
    expect(first.render).toMatch(/here is page 1 of \d+\./);
    expect(first.render).toContain(NEXT);
    expect(first.render).toContain('Outline');
    const second = await view('open_url', { url: `${PAGE}#page=2` });
    expect(second.url).toBe(`${PAGE}#page=2`);
    expect(second.render).toContain(`The part before: open_url {"url":"${PAGE}#page=1"}.`);
  });

  it('is opened at the part that contains a named place, even if no part was read before', async () => {
    const unread = `${PAGE}?unread#${LAST_LAMP}`;
    const shown = await view('open_url', { url: unread, num_lines: 20 });
    expect(shown.text.split('\n')[0]).toBe(`## Lamp ${LONG_HTML_SECTIONS}`);
    expect(shown.url).toBe(unread);
  });

  it('has a missing name reported only if no part contains it', async () => {
    const shown = await view('open_url', { url: `${PAGE}#lamp-0` });
    expect(shown.render).toContain('No line of the page has the name');
    expect(shown.viewport.start).toBe(0);
  });

  it('is searched in all its parts by one call, each match with the cursor that shows it', async () => {
    const first = await view('open_url', { url: PAGE });
    const last = await textOf('find', { cursor: first.cursor, pattern: `Lamp ${LONG_HTML_SECTIONS} ends` });
    expect(last).toContain('0 matching lines (text, ignoring case) in page 1 of');
    const [, cursor = '', loc = ''] =
      /1 matching line in page \d+ of \d+ \(cursor (c_\w+): [^]*?\nL(\d+): Lamp \d+ ends/.exec(last) ?? [];
    const around = await view('scroll', { cursor, loc: Number(loc), num_lines: 20 });
    expect(around.text.split('\n')[0]).toContain(`Lamp ${LONG_HTML_SECTIONS} ends here`);
    expect(last).toMatch(/All \d+ pages of this document were searched\.$/);
  });

  it('is searched from a later part in the earlier ones, too', async () => {
    const second = await view('open_url', { url: `${PAGE}#page=2` });
    const found = await textOf('find', { cursor: second.cursor, pattern: 'Lamp 1 ends' });
    expect(found).toMatch(/matching lines? in page 1 of \d+ \(cursor c_/);
    expect(await textOf('find', { cursor: second.cursor, pattern: 'no such lamp anywhere' })).toMatch(
      /Nothing matches\. .*\nAll \d+ pages of this document were searched\.$/,
    );
  });

  it('is opened whole at a place in a later part, with the requested number of lines', async () => {
    const text = await textOf('web_open', { url: `${PAGE}#${LAST_LAMP}`, max_lines: 3 });
    expect(text).toContain(`## Lamp ${LONG_HTML_SECTIONS}\n`);
    expect(text).toContain('because of max_lines. Next: scroll');
    expect(text).not.toContain(`wick ${LONG_HTML_SECTIONS}b`);
    const inside = LONG_HTML_SECTIONS - 10;
    const whole = await textOf('web_open', { url: `${PAGE}#lamp-${inside}` });
    expect(whole).not.toContain(`Lamp ${inside - 1} begins`);
    expect(whole).toContain(`Lamp ${inside} begins`);
  });

  it('is shown in a batch by its requested part', async () => {
    const urls = [`${PAGE}#${LAST_LAMP}`, `${PDF}#page=${LONG_PDF_PAGES}`, PAGE];
    const text = await textOf('web_batch_open', { urls, max_lines: 5 });
    expect(text).toContain(`## Lamp ${LONG_HTML_SECTIONS}\n`);
    expect(text).toContain(`Sheet ${LONG_PDF_PAGES} begins here.`);
    expect(text).not.toContain('Lamp 2 begins');
    expect(text.length).toBeLessThan(8_000);
  });

  it('has a missing fragment reported in web_open, too', async () => {
    expect(await textOf('web_open', { url: `${PAGE}#lamp-0`, max_lines: 3 })).toContain(
      'No line of the page has the name',
    );
  });

  it('is found by search in a later part, and the hit opens there', async () => {
    await view('open_url', { url: `${PAGE}#${LAST_LAMP}` });
    const query = `"Lamp ${LONG_HTML_SECTIONS} begins here"`;
    const found = structured(await callTool('modern', 'search', { query }, { send }));
    const [hit] = z.array(z.object({ url: z.string() })).parse(found['results']);
    expect(hit?.url).toMatch(/long\.html#page=[2-9]$/);
    const opened = await view('open_result', { cursor: found['cursor'], result_id: 1, num_lines: 20 });
    expect(opened.text).toContain(`Lamp ${LONG_HTML_SECTIONS} begins here`);
    expect(opened.viewport.start).toBeGreaterThan(0);
  });
});

describe('an HTML page with more bytes than may be read', () => {
  const HUGE = `${PAGE}?huge`;
  const sendHuge = serverWith({ MAX_BYTES: '450000' });

  it('is read up to the limit, and its last part is not marked as the end of the page', async () => {
    const first = await view('open_url', { url: HUGE }, sendHuge);
    const total = Number(/here is page 1 of the first (\d+)\./.exec(first.render)?.[1]);
    expect(total).toBeGreaterThan(1);
    expect(first.render).toContain('The page has more than 450000 bytes: the text after them is not stored.');
    const last = await view('open_url', { url: `${HUGE}#page=${total}` }, sendHuge);
    const end = await view('scroll', { cursor: last.cursor, loc: 1_000_000 }, sendHuge);
    expect(end.render).toContain('The text after that is not stored.');
    expect(end.render).not.toContain('end of the page');
    const missed = await textOf('find', { cursor: last.cursor, pattern: `Lamp ${LONG_HTML_SECTIONS}` }, sendHuge);
    expect(missed).toContain('The text after that is not stored');
  });
});

function nextOf(parts: readonly { end: string }[]): string | null {
  return /Next: open_url \{"url":"([^"]+)"\}/.exec(parts.at(-1)?.end ?? '')?.[1] ?? null;
}
