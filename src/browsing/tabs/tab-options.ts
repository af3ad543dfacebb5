import type { FileSource } from '#browsing/gate/file-answer.ts';
import type { PageEvent } from './page-log.ts';
import type { TabSettings } from './settings.ts';

export type TabOptions = {
  settings?: TabSettings | undefined;
  /** Whether a tab that a page wants to open may open now: only while a call of ours acts on the page. */
  mayOpen: () => boolean;
  /** Takes what a page gave the browser to be saved, which the browser refuses; left out, that is told as refused. */
  save?: SaveInstead;
};

type SaveInstead = (url: string, source: () => FileSource, tell: (event: PageEvent) => void) => void;

export const saveNothing: SaveInstead = (url, _, tell) => tell({ kind: 'download', url });
