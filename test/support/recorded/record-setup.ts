import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { CdpConnection } from '#browsing/cdp/connection.ts';
import type { OpenTab } from '#browsing/tabs/open-tab.ts';
import { hostFlags } from '#support/chromium.ts';
import { startChromium } from '#support/chromium-process.ts';
import { tabsWithSites } from '#support/made-up-sites.ts';
import { go } from '#support/page-calls.ts';
import { LivePage } from './live-page.ts';
import { RECORDINGS, recordWith } from './recorded-pages.ts';
import type { Recording, Site } from './recorded-pages.ts';
import { Recorder } from './recorder.ts';
import { writeScenes } from './recording.ts';
import type { Scene } from './recording.ts';

/** Runs before each test file under `npm run record-pages`: takes the pages from Chromium and records them. */
const opened: OpenTab[] = [];
/** Tabs of finished tests. A new page in one of them takes only milliseconds. */
const idle: OpenTab[] = [];
/** Pages of failed tests are not recorded. */
let hasFailed = false;

recordWith((name) => {
  const scenes = new Map<Scene, Map<string, string>>();
  let site: Site = () => null;
  let served = new Map<string, string>();
  const browser = startTabs((url) => {
    const html = site(url);
    if (html !== null) served.set(url.href, html);
    return html;
  });
  return {
    open: async (url, its) => {
      const html = its(new URL(url)) ?? '';
      const [known] = [...scenes.keys()].filter((one) => one.url === url && one.site[url] === html);
      const scene = known ?? { url, site: { [url]: html }, states: [] };
      site = its;
      served = scenes.get(scene) ?? new Map<string, string>();
      scenes.set(scene, served);
      const { tabs, contextId } = await browser;
      const tab = idle.pop() ?? (await tabs.open(contextId));
      opened.push(tab);
      await go(tab, url);
      return Recorder.start(new LivePage(tab), scene);
    },
    end: async () => {
      for (const [scene, answers] of scenes) scene.site = documentsOf(scene, answers);
      const path = join(RECORDINGS, `${name}.jsonl`);
      mkdirSync(dirname(path), { recursive: true });
      if (!hasFailed) writeFileSync(path, writeScenes([...scenes.keys()]));
      hasFailed = false;
      idle.length = 0;
      await (await browser).end();
    },
  } satisfies Recording;
});

/** Leaves pictures and styles out: no test has any. */
function documentsOf({ states }: Scene, served: ReadonlyMap<string, string>): Scene['site'] {
  const shown = new Set(states.flatMap(({ frames }) => frames.map(([, , , url]) => url)));
  return Object.fromEntries([...served].filter(([url]) => shown.has(url)));
}

beforeEach(() => {
  // Tabs of `beforeAll` stay open.
  opened.length = 0;
});
afterEach(({ task }) => {
  if (task.result?.state === 'fail') hasFailed = true;
  idle.push(...opened.splice(0));
});

async function startTabs(site: Site) {
  const chromium = await startChromium(hostFlags({}).split('\n'));
  const socket = new WebSocket(chromium.url);
  await new Promise((open) => socket.addEventListener('open', open));
  const tabs = await tabsWithSites(new CdpConnection(socket), site, false);
  return { tabs, contextId: await tabs.openContext(), end: () => chromium.close() };
}
