import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '#browsing/cdp/connection.ts';

/** A document's place in a tab: the frame that shows it, the load that brought it, and the target that runs it. */
export type Frame = {
  id: string;
  /** `null` for the tab's own document. */
  parentId: string | null;
  /** Changes with every document that the frame loads. It is the generation that a ref is bound to. */
  loaderId: string;
  url: string;
  /** Frames of another site run in a process and a target of their own. */
  session: CdpSession;
};

/** One page of a session. Everything that works on a page takes one of these. */
export type Tab = {
  /** `t1`, `t2` and so on, in the order they opened. Never reused within a session. */
  readonly id: string;
  readonly targetId: string;
  /** The target of the tab's own document. */
  readonly session: CdpSession;
  /** Documents, by loader, in which a person has typed: what their fields hold is not told. */
  readonly typedIn: ReadonlySet<string>;
  /** Every frame that shows a document now: the tab's own first, parents before children. */
  frames: () => readonly Frame[];
  /** The tab's own frame. */
  main: () => Frame;
  /** The frame as it is now; `null` when it is gone. */
  frame: (id: string) => Frame | null;
  /**
   * A context of the frame's document for our scripts. It sees the page's DOM, and the page's scripts do not see it. It
   * is made once for each document, when needed.
   */
  world: (frame: Frame) => Promise<Protocol.Runtime.ExecutionContextId>;
  /**
   * A handle of the frame's document as the page's own scripts see it, for what Chromium reports about it; `null` if
   * the frame runs no scripts.
   */
  document: (frame: Frame) => Promise<Protocol.Runtime.RemoteObjectId | null>;
};
