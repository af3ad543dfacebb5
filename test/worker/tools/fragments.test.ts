import { describe, expect, it } from 'vitest';
import { page, write } from '#support/followed.ts';
import { callTool, structured } from '../../support/mcp-call.ts';

const LOCKS = 'https://docs.acme.dev/locks';
const open = async (url: string, args: Record<string, unknown> = {}) =>
  structured(await callTool('modern', 'open_url', { url, num_lines: 20, ...args }));

describe('the fragment of a URL', () => {
  for (const [fragment, first] of [
    ['locks', '# How locks lift boats'],
    ['gates', '## Gates'],
    ['water', '## Water'],
    ['WATER', '## Water'],
    ['old%20name', '## Keepers'],
    ['hidden-sign', '## Keepers'],
    [':~:text=opens%20the%20sluices', 'A keeper opens the sluices.'],
    ['comments', '## Comments'],
  ] as const) {
    it(`resolves to its line, and stays in the URL: #${fragment}`, async () => {
      const shown = await open(`${LOCKS}#${fragment}`);
      expect(String(shown['text']).split('\n')[0]).toBe(first);
      expect(shown['url']).toBe(`${LOCKS}#${fragment}`);
      expect(shown['render']).toContain(`URL: ${LOCKS}#${fragment}\n`);
    });
  }

  it('also resolves for a stored page', async () => {
    const first = await open(`${LOCKS}#water`);
    const again = structured(await callTool('modern', 'open_url', { url: 'docs.acme.dev/locks#water', num_lines: 20 }));
    expect(again['viewport']).toEqual(first['viewport']);
  });

  it('is reported when it does not exist, and the page is shown from its beginning', async () => {
    const shown = await open(`${LOCKS}#no-such-place`);
    expect(shown['viewport']).toMatchObject({ start: 0 });
    expect(shown['render']).toContain('No line of the page has the name in the #fragment of this URL.');
    expect((await open(`${LOCKS}#:~:text=never%20written`))['render']).toContain('quotes is not in the page');
  });

  it('is reported in the same words for a stored page, also if the page names no places', async () => {
    const url = 'https://rounds-1.acme.dev/without-places';
    await write(url, { headers: { 'cache-control': 'max-age=600' }, body: page('Boats', '<p>Boats wait here.</p>') });
    for (const cached of [false, true]) {
      const whole = structured(await callTool('modern', 'web_open', { url: `${url}#none`, max_age_seconds: 600 }));
      expect(whole).toMatchObject({ cached, notes: [expect.stringContaining('No line of the page has the name')] });
    }
  });

  it('is overridden by an explicit line, and its own line is reported', async () => {
    const at = (await open(`${LOCKS}#water`))['viewport'] as { start: number };
    const shown = await open(`${LOCKS}#water`, { loc: 3 });
    expect(shown['viewport']).toMatchObject({ start: 3 });
    expect(shown['render']).toContain(`The #fragment of the URL leads to line ${at.start}.`);
  });

  it('is the form of links within the page, with a note on how to follow them', async () => {
    const shown = await open(LOCKS);
    expect(shown['text']).toContain('[how the gates work](#gates) or [the water](#Water)');
    expect(shown['render']).toContain(`A link (#NAME) leads to a place in this page: open_url {"url":"${LOCKS}#NAME"}`);
    const followed = await open(`${LOCKS}#Water`);
    expect(String(followed['text'])).toMatch(/^## Water/);
  });
});

describe('the outline of a page', () => {
  const HEADINGS = ['# How locks lift boats', '## Gates', '## Water', '## Keepers'];

  it('is part of the first view of a long page, with correct lines', async () => {
    const shown = await open(LOCKS);
    const lines = String(shown['render']).split('\n');
    const entries = lines.slice(lines.indexOf('Outline:') + 1, lines.indexOf('Outline:') + 5);
    expect(entries.map((line) => line.replace(/^L\d+: /, ''))).toEqual(HEADINGS);
    for (const entry of entries) {
      const [, line = '', text] = /^L(\d+): (.*)$/.exec(entry) ?? [];
      const at = structured(await callTool('modern', 'scroll', { cursor: shown['cursor'], loc: Number(line) }));
      expect(String(at['text']).split('\n')[0]).toBe(text);
      expect(at['render']).not.toContain('Outline:');
    }
  });

  it('is part of a whole page', async () => {
    const answer = await callTool('modern', 'web_open', { url: LOCKS });
    const outline = structured(answer)['outline'] as { level: number; text: string }[];
    expect(outline.map(({ level, text }) => `${'#'.repeat(level)} ${text}`)).toEqual(HEADINGS);
    expect(answer.result?.content?.[0]?.text).toMatch(/\nOutline:\n⟦[0-9a-f]{16}\nL0: # How locks lift boats\n/);
  });

  it('is missing for a short page', async () => {
    expect((await open('https://docs.acme.dev/alarms'))['render']).not.toContain('Outline:');
  });
});
