import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '#browsing/cdp/connection.ts';

export type Frame = {
  id: string;
  parentId: string | null;
  /** Changes with every document that the frame loads. Refs are bound to it. */
  loaderId: string;
  url: string;
  /** Frames of another site run in a process and target of their own. */
  session: CdpSession;
};

/** The address of a tab before its first document. Some tabs have none at all then. */
export function isBlank(url: string): boolean {
  return url === '' || url === ':' || url === 'about:blank';
}

/** Where scripts of a document run. `origin`: its own or an inherited one; `null` or `://` for an opaque one. */
export type PageContext = { uniqueId: string; origin: string };

/** What `OpenTab` offers to code that works on its page. */
export type Tab = {
  readonly id: string;
  readonly targetId: string;
  readonly session: CdpSession;
  /** Its device has a touch screen, which a click taps. */
  readonly hasTouch: boolean;
  main: () => Frame;
  frame: (id: string) => Frame | null;
  frames: () => readonly Frame[];
  world: (frame: Frame) => Promise<Protocol.Runtime.ExecutionContextId>;
  document: (frame: Frame) => Promise<Protocol.Runtime.RemoteObjectId | null>;
  pageContext: (frame: Frame) => PageContext | null;
  readonly sizes: {
    of: (frame: Frame) => Promise<number>;
    count: (frame: Frame) => Promise<number>;
    note: (frame: Frame, size: number) => void;
    isLarge: (frame: Frame) => boolean;
  };
  readonly typedIn: ReadonlySet<string>;
  /** Ids of kept files, by the address that they came from. */
  readonly files: ReadonlyMap<string, string>;
};

export type PageElement = {
  tab: Tab;
  frame: Frame;
  backendNodeId: number;
  /** A handle in our isolated world of its document. */
  objectId: string;
  /** Chromium's role and accessible name. The name is the page's text. */
  role: string;
  name: string;
  /** The text that is meant, of more that stands in the element. */
  words?: string;
};
