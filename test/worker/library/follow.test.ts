import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { asked, followed, nextRound, page, write } from '../../support/followed.ts';
import { callTool, structured } from '../../support/mcp-call.ts';

const SITE = 'https://follow-1.acme.dev';

describe('a followed page', () => {
  it('reports a changed sentence once, with citable lines of both documents', async () => {
    await write(`${SITE}/prices`, page('Prices', '<p>The small plan costs 5 dollars.</p><p>It is for one person.</p>'));
    const begun = await followed({ url: `${SITE}/prices` });
    expect(begun).toMatchObject({ state: 'begun', pages: { found: 1 }, notes: [] });
    expect(structured(await callTool('modern', 'changes', {}))).toMatchObject({ changes: [] });

    await write(`${SITE}/prices`, page('Prices', '<p>The small plan costs 6 dollars.</p><p>It is for one person.</p>'));
    await nextRound();
    const told = structured(await callTool('modern', 'changes', {}));
    expect(told).toMatchObject({
      changes: [
        {
          kind: 'changed',
          url: `${SITE}/prices`,
          blocks: [
            {
              kind: 'changed',
              before: { text: 'The small plan costs 5 dollars.' },
              after: { text: 'The small plan costs 6 dollars.' },
            },
          ],
        },
      ],
    });
    await nextRound();
    const { changes } = structured(await callTool('modern', 'changes', {}));
    expect(changes).toHaveLength(1);
    expect((await asked(SITE)).filter((path) => path === '/prices')).toHaveLength(5);
    expect(await env.DB.prepare('SELECT count(*) AS n FROM follow_pages').first('n')).toBe(1);
  });
});
