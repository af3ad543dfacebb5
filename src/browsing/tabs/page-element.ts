import type { Frame } from './frame.ts';
import type { Tab } from './tab.ts';

/** One element of a page. It existed when it was looked up. */
export type PageElement = {
  tab: Tab;
  frame: Frame;
  backendNodeId: number;
  /** A handle to it in our isolated world of its document. */
  objectId: string;
  /** Chromium's role and accessible name. The name is the page's words. */
  role: string;
  name: string;
};
