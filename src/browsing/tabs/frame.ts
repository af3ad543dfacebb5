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

/** The address of a tab before its first document. Some tabs have none at all then. */
export function isBlank(url: string): boolean {
  return url === '' || url === ':' || url === 'about:blank';
}
