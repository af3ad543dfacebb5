import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { LONG_PDF_PAGES } from '../../support/long-pdf.ts';
import { serverWith } from '../../support/server-with.ts';
import { callTool, structured } from '../../support/mcp-call.ts';

const URL = 'https://docs.acme.dev/long.pdf';
const NOTE = /here is pages (\d+) to (\d+) of (\d+)\./;
const CALL = /The (part before|next part): open_url (\{"url":"[^"]+"\})/g;

const ViewSchema = z.object({
  text: z.string(),
  render: z.string(),
  cursor: z.string(),
  viewport: z.object({ start: z.number(), end: z.number() }),
});
type View = z.infer<typeof ViewSchema>;

/** Each part is read once for all tests, because fresh parts are shown from the store. */
const send = serverWith({ CACHE_TTL_SECONDS: '3600' });

async function call(tool: string, args: Record<string, unknown>): Promise<View> {
  return ViewSchema.parse(structured(await callTool('modern', tool, args, { send })));
}

/** Follows a document to its last line. */
async function wholeOf(first: View): Promise<string> {
  const lines = Number(/^Lines \d+–\d+ of (\d+) in pages \d+ to \d+ of \d+:/m.exec(first.render)?.[1]);
  let text = first.text;
  for (let view = first; view.viewport.end < lines - 1; text += `\n${view.text}`) {
    view = await call('scroll', { cursor: view.cursor, loc: view.viewport.end + 1, num_lines: 200 });
  }
  return text;
}

function noteOf({ render }: View) {
  const [, first, last, total] = NOTE.exec(render)?.map(Number) ?? [];
  const calls = new Map(
    [...render.matchAll(CALL)].map(([, side, args]) => [
      side,
      z.object({ url: z.string() }).parse(JSON.parse(args ?? '')),
    ]),
  );
  return { first, last, total, calls };
}

describe('a PDF that is too long to be read at once', () => {
  it('is read to its last page by the calls in its notes, with each page once and whole', async () => {
    let view = await call('open_url', { url: URL });
    let text = await wholeOf(view);
    let opened = 1;
    for (let { calls } = noteOf(view); calls.has('next part'); { calls } = noteOf(view)) {
      const before = noteOf(view);
      view = await call('open_url', { ...calls.get('next part') });
      const now = noteOf(view);
      expect(now).toMatchObject({ first: (before.last ?? NaN) + 1, total: LONG_PDF_PAGES });
      expect(view.text.split('\n')[0]).toBe(`<!-- page ${now.first} -->`);
      expect(view.render).not.toContain('left out');
      text += `\n${await wholeOf(view)}`;
      opened += 1;
    }
    expect(opened).toBeGreaterThan(1);
    expect(noteOf(view).last).toBe(LONG_PDF_PAGES);
    const sheets = (edge: string) =>
      [...text.matchAll(new RegExp(`Sheet (\\d+) ${edge} here`, 'g'))].map(([, n]) => Number(n));
    const all = Array.from({ length: LONG_PDF_PAGES }, (_, index) => index + 1);
    expect(sheets('begins')).toEqual(all);
    expect(sheets('ends')).toEqual(all);
  });

  it('is shown from any page, with the calls for the pages before and after', async () => {
    const wanted = LONG_PDF_PAGES - 5;
    const view = await call('open_url', { url: `${URL}#page=${wanted}` });
    expect(view.text.split('\n')[0]).toBe(`<!-- page ${wanted} -->`);
    expect(view.text).toContain(`Sheet ${wanted} begins here.`);
    const { first, last, calls } = noteOf(view);
    expect({ first, last, calls: [...calls.keys()] }).toEqual({
      first: wanted,
      last: LONG_PDF_PAGES,
      calls: ['part before'],
    });
    expect((await call('open_url', { ...calls.get('part before') })).text).toContain(
      `Sheet ${wanted - 1} begins here.`,
    );
  });

  it('has an invalid page number reported', async () => {
    const view = await call('open_url', { url: `${URL}#page=${LONG_PDF_PAGES + 1}` });
    expect(view.render).toContain(`Its pages are 1 to ${LONG_PDF_PAGES}, as in #page=2`);
    expect(view.text).toContain('Sheet 1 begins here.');
  });
});
