import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { reachOf } from '#support/import-graph.ts';

const ROOT = join(import.meta.dirname, '../..');
const TESTS = globSync('test/**/*.test.ts', { cwd: ROOT });
const LAYERS = ['unit', 'golden', 'worker', 'browser', 'smoke', 'e2e'];

/** Files that import nothing of Cloudflare, but use a global of workerd. */
const USE_ONLY_GLOBALS: Readonly<Record<string, string>> = {
  'test/worker/browsing/cdp/connect.test.ts': 'WebSocketPair',
  'test/worker/browsing/live-view/viewer.test.ts': 'WebSocketPair',
  'test/worker/browsing/session/cancelled-documents.test.ts': 'WebSocketPair',
  'test/worker/browsing/tabs/frame-tree.test.ts': 'WebSocketPair',
  'test/worker/browsing/tabs/socket-hold.test.ts': 'WebSocketPair',
  'test/worker/net/robots-policy.test.ts': 'fetch, which asks the internet of the tests',
};

const within = (...layers: string[]) =>
  TESTS.filter((file) => layers.some((layer) => file.startsWith(`test/${layer}/`)));
const ofCloudflare = (file: string) => [...reachOf(file)].filter((name) => /^@?cloudflare[:/]/u.test(name));

describe('test layers', () => {
  it('include every test file, so that each of them runs', () => {
    expect(TESTS.length).toBeGreaterThan(300);
    expect(TESTS.filter((file) => !within(...LAYERS).includes(file))).toEqual([]);
  });

  it('run only files in Node that import nothing of Cloudflare', () => {
    const wrong = within('unit', 'golden').flatMap((file) => ofCloudflare(file).map((name) => `${file}: ${name}`));
    expect(wrong).toEqual([]);
  });

  it('run only files in workerd that need it', () => {
    const pure = within('worker', 'browser').filter((file) => ofCloudflare(file).length === 0);
    expect(pure.toSorted()).toEqual(Object.keys(USE_ONLY_GLOBALS));
  });

  it('open Chromium pages only in test/browser and test/e2e', () => {
    const opens = (file: string) =>
      ['pretend-sites', 'chromium', 'real-browser'].some((name) => reachOf(file).has(`test/support/${name}.ts`));
    expect(within('unit', 'golden', 'worker', 'smoke').filter(opens)).toEqual([]);
    expect(within('browser').some(opens)).toBe(true);
  });
});
