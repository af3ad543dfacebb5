import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { go } from '#support/page-calls.ts';
import { browserWith } from '#support/pretend-sites.ts';
import type { TestBrowser } from '#support/pretend-sites.ts';
import { LivePage } from '#support/recorded/live-page.ts';
import { readScenes, writeScenes } from '#support/recorded/recording.ts';
import type { Scene } from '#support/recorded/recording.ts';
import { playScene } from '#support/recorded/play-scene.ts';

const RECORDINGS = import.meta.glob<string>('../../recorded/**/*.jsonl', {
  query: '?raw',
  import: 'default',
  eager: true,
});

let browser: TestBrowser;
let context: string;
let tab: OpenTab;
let site: Scene['site'] = {};

beforeAll(async () => {
  browser = await browserWith(({ href }) => site[href] ?? null);
  context = await browser.openContext();
  tab = await browser.openLastingTab(context, 'http://site.example/');
});

afterAll(() => browser.close());

describe('Chromium returns the recorded answers (npm run record-pages writes its current ones)', () => {
  it('for at least one page', () => expect(Object.keys(RECORDINGS).length).toBeGreaterThan(0));

  it.each(Object.entries(RECORDINGS))('for the pages of %s', async (_, text) => {
    for (const scene of readScenes(text)) {
      site = scene.site;
      const now = await playScene(scene, open);
      expect(writeScenes([now])).toBe(writeScenes([scene]));
    }
  });
});

async function open(url: string): Promise<LivePage> {
  await go(tab, url);
  return new LivePage(tab);
}
