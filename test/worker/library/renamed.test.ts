import { describe, expect, it } from 'vitest';
import { followed, nextRound, page, takeAway, write } from '#support/followed.ts';
import { callTool, structured } from '#support/mcp-call.ts';

type Told = { kind: string; url: string; moved_to?: string; blocks: { kind: string }[] };

async function told(library: string): Promise<Told[]> {
  const { changes } = structured(await callTool('modern', 'changes', { library }));
  return JSON.parse(JSON.stringify(changes));
}

const paths = (changes: readonly Told[]) =>
  changes.map(({ kind, url, moved_to: to }) => [
    kind,
    new URL(url).pathname,
    ...(to === undefined ? [] : [new URL(to).pathname]),
  ]);

const start = (names: readonly string[]) =>
  page(
    'All',
    `<p>The pages of this harbour, in no order at all.</p>${names.map((name) => `<a href="/docs/${name}">${name}</a>`).join(' ')}`,
  );
const pier = (length: number) =>
  page(
    'The pier',
    `<p>The pier was built of stone in the year of the great storm, when the old one of wood had gone.</p>
     <p>It is ${length} metres long, and the lamp at its end can be seen from the island in the west.</p>
     <p>In winter nobody may walk on it, as the waves come over the wall from the north without a warning.</p>`,
  );

describe('a page that its site renamed', () => {
  it('is reported once, as moved, with its changes', async () => {
    const site = 'https://renamed-1.acme.dev';
    await write(`${site}/docs/`, start(['pier']));
    await write(`${site}/docs/pier`, pier(90));
    await followed({ url: `${site}/docs/`, scope: 'site' });
    await takeAway(`${site}/docs/pier`);
    await write(`${site}/docs/`, start(['stone-pier']));
    await write(`${site}/docs/stone-pier`, pier(90));
    await nextRound();
    await nextRound();
    await nextRound();
    const changes = (await told(`${site}/docs/`)).filter(({ url }) => url !== `${site}/docs/`);
    expect(paths(changes)).toEqual([['moved', '/docs/pier', '/docs/stone-pier']]);
    expect(changes[0]?.blocks).toEqual([]);
  });

  it('is also reported as moved when its new URL is found only after the old one counts as gone', async () => {
    const site = 'https://renamed-2.acme.dev';
    await write(`${site}/docs/`, start(['pier']));
    await write(`${site}/docs/pier`, pier(90));
    await followed({ url: `${site}/docs/`, scope: 'site' });
    await takeAway(`${site}/docs/pier`);
    await nextRound();
    await write(`${site}/docs/`, start(['stone-pier']));
    await write(`${site}/docs/stone-pier`, pier(90));
    await nextRound();
    const changes = (await told(`${site}/docs/`)).filter(({ url }) => url !== `${site}/docs/`);
    expect(paths(changes)).toEqual([['moved', '/docs/pier', '/docs/stone-pier']]);
  });

  it('is reported once, as moved, with its changes, when its old URL redirects to the new one', async () => {
    const site = 'https://renamed-4.acme.dev';
    await write(`${site}/docs/`, start(['pier']));
    await write(`${site}/docs/pier`, pier(90));
    await followed({ url: `${site}/docs/`, scope: 'site' });
    await write(`${site}/docs/`, start(['stone-pier']));
    await write(`${site}/docs/pier`, { status: 301, headers: { location: '/docs/stone-pier' }, body: '' });
    await write(`${site}/docs/stone-pier`, pier(95));
    await nextRound();
    await nextRound();
    const changes = (await told(`${site}/docs/`)).filter(({ url }) => url !== `${site}/docs/`);
    expect(paths(changes)).toEqual([['moved', '/docs/pier', '/docs/stone-pier']]);
    expect(changes[0]?.blocks).toMatchObject([{ kind: 'changed' }]);
  });

  it('is a new page where the old one is still there, or the text is another', async () => {
    const site = 'https://renamed-3.acme.dev';
    await write(`${site}/docs/`, start(['pier', 'lamp']));
    await write(`${site}/docs/pier`, pier(90));
    await write(
      `${site}/docs/lamp`,
      page(
        'The lamp',
        '<p>The lamp burns oil from whales, and one keeper alone may light it at night.</p><p>It turns once in a minute, and it shows red to those who come too near to the rocks in the east.</p><p>Guests may climb up to it on the first day of May, after noon, one by one.</p>',
      ),
    );
    await followed({ url: `${site}/docs/`, scope: 'site' });
    await takeAway(`${site}/docs/lamp`);
    await write(`${site}/docs/`, start(['pier', 'copy']));
    await write(`${site}/docs/copy`, pier(91));
    await nextRound();
    await nextRound();
    const changes = (await told(`${site}/docs/`)).filter(({ url }) => url !== `${site}/docs/`);
    expect(new Set(paths(changes).map((one) => one.join(' ')))).toEqual(new Set(['gone /docs/lamp', 'new /docs/copy']));
  });
});
