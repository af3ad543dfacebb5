import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach } from 'vitest';
import { ElementRefs } from '#browsing/refs/refs.ts';
import { PageWithRefs } from '#support/page-with-refs.ts';
import { readScenes } from './recording.ts';
import type { Scene } from './recording.ts';
import { RecordedTab } from './recorded-tab.ts';
import type { PageSource } from './recorded-tab.ts';
import { NotRecorded, Replay } from './replay.ts';

export const RECORDINGS = join(import.meta.dirname, '../../recorded');

/** A site of a test: returns the HTML of an address, or `null` for a 404. */
export type Site = (url: URL) => string | null;

/** Opens pages in Chromium and records its answers. */
export type Recording = { open: (url: string, site: Site) => Promise<PageSource>; end: () => Promise<void> };

let startRecording: ((name: string) => Recording) | null = null;

/** Called before any test by `npm run record-pages`. */
export function recordWith(start: (name: string) => Recording): void {
  startRecording = start;
}

export type RecordedPages = {
  /** Opens a page of the site, with new refs or the given ones. */
  open: (url: string, refs?: ElementRefs) => Promise<PageWithRefs<RecordedTab>>;
};

/**
 * The pages of a test file, with the answers of Chromium that are recorded in `test/recorded`. A page is found by its
 * address and HTML, and each action of a test leads to its next state.
 */
export function recordedPages(name: string, site: Site): RecordedPages {
  const recording = startRecording?.(name) ?? null;
  if (recording !== null) afterAll(() => recording.end());
  const scenes = recording === null ? readScenes(readFileSync(join(RECORDINGS, `${name}.jsonl`), 'utf8')) : [];
  const problems: unknown[] = [];
  afterEach(() => {
    const [problem] = problems.splice(0);
    if (problem !== undefined) throw problem;
  });
  let opened = 0;
  return {
    open: async (url, refs = new ElementRefs()) => {
      opened += 1;
      const source = recording === null ? new Replay(sceneOf(scenes, url, site)) : await recording.open(url, site);
      return new PageWithRefs(new RecordedTab(`t${opened}`, source, problems), refs);
    },
  };
}

function sceneOf(scenes: readonly Scene[], url: string, site: Site): Scene {
  const scene = scenes.find((one) => one.url === url && isSiteOf(one, site));
  if (scene === undefined) throw new NotRecorded(`${url} with this HTML`);
  return scene;
}

function isSiteOf({ site: recorded }: Scene, site: Site): boolean {
  return Object.entries(recorded).every(([url, html]) => site(new URL(url)) === html);
}
