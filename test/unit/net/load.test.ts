import { describe, expect, it } from 'vitest';
import { loadPage, type LoadedPage } from '#net/fetch/load.ts';
import { page, world } from '../../support/net-world.ts';

const ARTICLE = `<!doctype html><title>Heat</title><p>${'Heat pumps move heat instead of making it. '.repeat(20)}</p>`;

function content(loaded: LoadedPage) {
  if (loaded.notModified) throw new Error('expected content');
  return loaded;
}

describe('loadPage', () => {
  it('returns the decoded page with its metadata', async () => {
    const net = world({
      'https://site.test.com/a?b=1': page(ARTICLE, {
        etag: '"v1"',
        'last-modified': 'Sat, 21 Nov 2026 10:00:00 GMT',
        'set-cookie': 'sid=1',
      }),
    });
    const loaded = content(await loadPage({ requestedUrl: ' SITE.test.com/a?b=1#part ' }, net));
    expect(loaded).toMatchObject({
      canonicalUrl: 'https://site.test.com/a?b=1',
      finalUrl: 'https://site.test.com/a?b=1',
      redirects: [],
      status: 200,
      etag: '"v1"',
      lastModified: 'Sat, 21 Nov 2026 10:00:00 GMT',
      mediaType: 'text/html',
      kind: 'html',
      charset: 'utf-8',
      text: ARTICLE,
      robots: { checked: true, allowed: true, robotsUrl: 'https://site.test.com/robots.txt', rule: null },
      noindex: [],
    });
    expect(loaded.headers).not.toHaveProperty('set-cookie');
    expect(net.requested).toEqual(['https://site.test.com/robots.txt', 'https://site.test.com/a?b=1']);
    expect(net.sent[1]?.['user-agent']).toMatch(/^Periscope\//);
    expect(net.sent[1]?.['accept']).toMatch(/^text\/markdown,/);
  });
});
