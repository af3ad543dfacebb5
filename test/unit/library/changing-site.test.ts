import { describe, expect, it } from 'vitest';
import { extract } from '#extract/extract.ts';
import { compareDocuments, varyingBlocks } from '#library/compare/compare.ts';
import type { Change, DocumentLines } from '#library/compare/compare.ts';
import { CHANGING_EVENTS, CHANGING_START, changingSite } from '#support/changing-site.ts';
import type { ChangingSite, SiteEvent } from '#support/changing-site.ts';

/** Pages that are there in both rounds. */
const PAGES = ['sentence', 'prices', 'order', 'menu', 'token', 'years', 'flaps', 'fresh-etag', 'steady-etag', 'closed'];

describe('a site that changes as real ones do', () => {
  it.each(PAGES)('has told what changed in %s, and nothing else', async (name) => {
    const site = changingSite();
    const path = CHANGING_START + name;
    const [one, again] = [await read(site, path), await read(site, path)];
    site.round = 1;
    const changes = compareDocuments(again, await read(site, path), varyingBlocks(one, again));
    expect(changes.map((change) => eventOf(path, change))).toEqual(
      CHANGING_EVENTS.filter((event) => event.path === path && event.kind === 'changed'),
    );
  });

  it('confirms with 304 what did not change, and never where its ETag is a lie', () => {
    const site = changingSite();
    const status = (name: string, etag: string) =>
      site.answer({ path: CHANGING_START + name, headers: { 'if-none-match': etag } }).status;
    const etag = site.answer({ path: `${CHANGING_START}sentence`, headers: {} }).headers['etag'] ?? '';
    expect([status('sentence', etag), status('steady-etag', '"always"')]).toEqual([304, 200]);
    site.round = 1;
    expect(status('sentence', etag)).toBe(200);
  });
});

async function read(site: ChangingSite, path: string): Promise<DocumentLines> {
  const { body } = site.answer({ path, headers: {} });
  const input = { kind: 'html', text: body, bytes: new Uint8Array(), mode: 'readable' } as const;
  const { lines, restStart } = await extract({ ...input, url: `https://island.example${path}` });
  return { lines, restStart: restStart ?? null };
}

function eventOf(path: string, { kind, words }: Change): SiteEvent {
  const of = (wanted: 'gone' | 'new') =>
    words.flatMap((word) => (word.kind === wanted ? [word.text.trim()] : [])).join(' ');
  return { round: 1, path, kind: 'changed', block: kind, gone: of('gone'), come: of('new') };
}
