import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { followed, nextRound, page, write } from '#support/followed.ts';
import { callTool, structured } from '#support/mcp-call.ts';
import { ORIGIN } from '#support/oauth-journey.ts';

type Block = { kind: string; head?: string; words?: string; after?: { text: string; citation: string } };
type Told = { kind: string; url: string; link?: string; blocks: Block[] };

async function told(library: string): Promise<{ changes: Told[]; text: string }> {
  const answer = await callTool('modern', 'changes', { library });
  const { changes } = structured(answer);
  return { changes: JSON.parse(JSON.stringify(changes)), text: answer.result?.content?.[0]?.text ?? '' };
}

const table = (price: number) =>
  `<p>All prices are for one month and include the taxes of the country you live in.</p>
   <table><tr><th>Plan</th><th>Price</th></tr>${['Small', 'Middle', 'Large'].map((plan, at) => `<tr><td>${plan}</td><td>${at === 1 ? price : 10 * (at + 1)} dollars</td></tr>`).join('')}</table>`;
const long = (number: string) =>
  `<p>The harbour is open from early in the morning until late in the evening, and it has ${number} berths for boats of guests, who pay at the office beside the gate before they go ashore.</p>`;

describe('reported changes', () => {
  it('show a table row with the header of its table', async () => {
    const site = 'https://told-1.acme.dev';
    await write(`${site}/`, page('Prices', table(20)));
    await followed({ url: `${site}/` });
    await write(`${site}/`, page('Prices', table(25)));
    await nextRound();
    const { changes, text } = await told(`${site}/`);
    expect(changes.map(({ blocks }) => blocks.map(({ head }) => head))).toEqual([['Plan | Price']]);
    expect(text).toContain('Table: Plan | Price');
  });

  it('repeat no block: they show only the changed words and the words around them', async () => {
    const site = 'https://told-2.acme.dev';
    await write(`${site}/`, page('Harbour', `${long('twelve')}<p>It is old.</p>`));
    await followed({ url: `${site}/` });
    await write(
      `${site}/`,
      page('Harbour', `${long('forty')}<p>It is old.</p><p>Dogs are welcome on the pier in winter.</p>`),
    );
    await nextRound();
    const { changes } = await told(`${site}/`);
    expect(changes.flatMap(({ blocks }) => blocks.map(({ kind, words }) => [kind, words]))).toEqual([
      ['changed', '… and it has [-twelve -]{+forty +}berths for boats …'],
      ['added', undefined],
    ]);
  });

  it('contain no invisible characters', async () => {
    const site = 'https://told-5.acme.dev';
    const hidden = (number: string) => long(`${number}\u200b \u202ebig\u{e0041}`);
    await write(`${site}/`, page('Harbour', hidden('twelve')));
    await followed({ url: `${site}/` });
    await write(`${site}/`, page('Harbour', hidden('forty')));
    await nextRound();
    const { changes, text } = await told(`${site}/`);
    expect(changes[0]?.blocks[0]?.words).toContain('forty');
    expect(JSON.stringify(changes) + text).not.toMatch(/[\u200b\u202e\u{e0041}]/u);
  });

  it('show the first line of a new page, and link each page for its user', async () => {
    const site = 'https://told-3.acme.dev';
    const start = (links: string) => page('All', `<p>The pages of this harbour, in no order.</p>${links}`);
    await write(`${site}/docs/`, start('<a href="/docs/a">A</a>'));
    await write(`${site}/docs/a`, page('A', long('nine')));
    await followed({ url: `${site}/docs/`, scope: 'site' });
    await write(`${site}/docs/`, start('<a href="/docs/a">A</a> <a href="/docs/b">B</a>'));
    await write(
      `${site}/docs/b`,
      page('Boats', `<h2>Who may come</h2><p>Boats of all kinds may come in.</p>${long('six')}`),
    );
    await nextRound();
    const { changes, text } = await told(`${site}/docs/`);
    const added = changes.find(({ kind }) => kind === 'new');
    expect(added?.url).toBe(`${site}/docs/b`);
    expect(added?.blocks.map(({ after, words }) => [after?.text, words])).toEqual([
      ['Boats of all kinds may come in.', undefined],
    ]);
    const { blocks } = (await env.DB.prepare('SELECT blocks FROM follow_changes WHERE url = ?')
      .bind(`${site}/docs/b`)
      .first<{ blocks: string }>()) ?? { blocks: '' };
    expect(blocks).toContain('Boats of all kinds may come in.');
    for (const { link = '' } of changes) {
      expect(link).toMatch(new RegExp(`^${ORIGIN}/changes/`, 'u'));
      expect(text).toContain(`Link for the user: ${link}`);
    }
  });

  it('have no links when two documents are compared', async () => {
    const site = 'https://told-4.acme.dev';
    await write(`${site}/`, page('One', long('two')));
    const { cursor } = structured(await callTool('modern', 'open_url', { url: `${site}/` }));
    await write(`${site}/`, page('One', long('three')));
    const { changes } = structured(await callTool('modern', 'changes', { cursors: [cursor] }));
    expect(JSON.parse(JSON.stringify(changes))).toEqual([expect.not.objectContaining({ link: expect.anything() })]);
  });

  it('of two different pages are said to be of two pages, and no page is said to have moved', async () => {
    const site = 'https://told-5.acme.dev';
    await write(`${site}/a`, page('Lamps', long('two')));
    await write(`${site}/b`, page('Boats', long('three')));
    const [a, b] = [
      await callTool('modern', 'open_url', { url: `${site}/a` }),
      await callTool('modern', 'open_url', { url: `${site}/b` }),
    ];
    const cursors = [structured(a)['cursor'], structured(b)['cursor']];
    const { changes, notes } = structured(await callTool('modern', 'changes', { cursors }));
    expect(JSON.parse(JSON.stringify(changes))).toMatchObject([
      { kind: 'changed', url: `${site}/a`, moved_to: `${site}/b` },
    ]);
    expect(notes).toEqual(['The cursors are of two different pages.']);
  });
});
