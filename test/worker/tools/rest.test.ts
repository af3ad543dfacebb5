import { describe, expect, it } from 'vitest';
import { callTool, rpc, structured } from '../../support/mcp-call.ts';

const LOCKS = 'https://docs.acme.dev/locks';
const call = async (name: string, args: Record<string, unknown>) => structured(await callTool('modern', name, args));
const RENDERED_REST = /\(main part; the rest of the page begins at line (\d+)\)/;

async function openLocks(): Promise<{ cursor: string; restStart: number; lineCount: number }> {
  const { cursor, render } = await call('open_url', { url: LOCKS });
  const [, lineCount] = /Lines 0–\d+ of (\d+)/.exec(String(render)) ?? [];
  const [, restStart] = RENDERED_REST.exec(String(render)) ?? [];
  return { cursor: String(cursor), restStart: Number(restStart), lineCount: Number(lineCount) };
}

describe('the rest of a page', () => {
  it('is mentioned with every view, which shows the main part or the rest, never both', async () => {
    const { cursor, restStart, lineCount } = await openLocks();
    expect(restStart).toBeGreaterThan(120);
    expect(lineCount).toBeGreaterThan(restStart);
    const last = await call('scroll', { cursor, loc: restStart - 5 });
    expect(last['viewport']).toEqual({ start: restStart - 5, end: restStart - 1 });
    expect(last['render']).toMatch(RENDERED_REST);
    expect(last['render']).toContain(
      `end of the main part. For the rest of the page: scroll {"cursor":"${cursor}","loc":${restStart}}\nHeadings in the rest:\nL`,
    );
    expect(last['render']).toMatch(/Headings in the rest:\n(?:L\d+: #+ .*\n)*L\d+: #+ Comments(?:\nL\d+: #+ .*)*$/);
    const rest = await call('scroll', { cursor, delta: 80 });
    expect(rest['viewport']).toEqual({ start: restStart, end: lineCount - 1 });
    expect(rest['text']).toMatch(/Harbours and ferries[^]*my uncle[^]*Imprint/);
    expect(rest['render']).toContain(`(the rest of the page, outside its main part; it begins at line ${restStart})`);
  });

  it('is read to its end by scrolling with delta, without missing a line', async () => {
    const { cursor, lineCount } = await openLocks();
    const seen = new Set<number>();
    let view = (await call('scroll', { cursor, loc: 0, num_lines: 50 }))['viewport'] as { start: number; end: number };
    for (let calls = 0; calls < 20 && !seen.has(lineCount - 1); calls += 1) {
      for (let line = view.start; line <= view.end; line += 1) seen.add(line);
      view = (await call('scroll', { cursor, delta: 50, num_lines: 50 }))['viewport'] as typeof view;
    }
    expect(seen.size).toBe(lineCount);
  });

  it('is searched by find, which describes it', async () => {
    const { cursor, restStart } = await openLocks();
    const found = await call('find', { cursor, pattern: 'sluices' });
    const matches = found['matches'] as { loc: number }[];
    expect(matches.map(({ loc }) => loc >= restStart)).toEqual([false, true]);
    const lines = String(found['render']).split('\n');
    const head = lines.findIndex((line) => line.startsWith('In the rest of the page'));
    expect(lines[head - 1]).toContain('A keeper opens');
    expect(lines[head + 1]).toMatch(/^L\d+: #+ Comments$/);
    expect(lines[head + 2]).toContain('my uncle');
  });

  it('is omitted from whole pages, which state its size and how to get it', async () => {
    const answer = await callTool('modern', 'web_open', { url: LOCKS });
    const page = structured(answer);
    const { start, end } = page['rest_lines'] as { start: number; end: number };
    expect(page['markdown']).toContain('A keeper opens');
    expect(page['markdown']).not.toMatch(/Harbours and ferries|my uncle|Imprint|The rest of the page/);
    expect(page['shown_lines']).toEqual({ start: 0, end: start - 1 });
    expect(page['total_lines']).toBe(end + 1);
    const note = `Lines ${start}–${end} are the rest of the page (menus, related links, comments, notices): scroll {"cursor":"${String(page['cursor'])}","loc":${start}}`;
    expect(page['notes']).toContain(note);
    expect(answer.result?.content?.[0]?.text).toMatch(/This is the whole main part\.\nLines/);
    expect(answer.result?.content?.[0]?.text).toContain(note);
    const rest = await call('scroll', { cursor: page['cursor'], loc: start });
    expect(rest['text']).toContain('Imprint');
  });

  it('of given HTML is returned with mode raw', async () => {
    const html =
      '<html><head><meta name="generator" content="Sphinx"></head><body><nav>A menu</nav><div itemprop="articleBody"><p>The words.</p></div></body></html>';
    const page = await call('web_extract', { html });
    expect(page['markdown']).not.toContain('A menu');
    expect(page['rest_lines']).toEqual({ start: 1, end: 2 });
    expect((page['notes'] as string[]).join()).toContain('web_extract with mode raw');
    const raw = await call('web_extract', { html, mode: 'raw' });
    expect(raw['markdown']).toMatch(/A menu[^]*The words/);
    expect(raw).not.toHaveProperty('rest_lines');
  });

  it('is mentioned in resources', async () => {
    const page = await call('web_open', { url: LOCKS });
    const { result } = await rpc('modern', 'resources/read', { uri: `resource://cache/${String(page['snapshot'])}` });
    const text = JSON.stringify(result);
    expect(text).toMatch(/are the rest of the page[^"]*continue with cache_get/);
    expect(text).not.toContain('my uncle');
  });
});
