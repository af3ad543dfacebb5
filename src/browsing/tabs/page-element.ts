import type { Frame, Tab } from './tab.ts';

/** One element of a page, there at the moment it was looked up. */
export type PageElement = {
  tab: Tab;
  frame: Frame;
  backendNodeId: number;
  /** A handle on it in our own world of its document. */
  objectId: string;
  /** Chromium's role and accessible name: the page's words. */
  role: string;
  name: string;
};
