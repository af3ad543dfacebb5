import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '#browsing/cdp/connection.ts';
import type { LiveChannels } from './page-record.ts';

export type Frame = {
  id: string;
  parentId: string | null;
  /** Id of the frame's document, which changes with every load. Refs are bound to it. */
  loaderId: string;
  url: string;
  /** Set for an error page of the browser. `url` is then the URL of the document that did not load. */
  isError?: true;
  /** CDP session of the frame's target. Cross-site frames have their own process and target. */
  session: CdpSession;
};

/** True for the URL of a tab before its first document, which some tabs report as empty. */
export function isBlankUrl(url: string): boolean {
  return url === '' || url === ':' || url === 'about:blank';
}

/**
 * Execution context of a document's scripts. `origin`: the document's own origin, or the one it inherits from its
 * opener or parent. For an opaque origin, the text `null` or `://`.
 */
export type PageContext = { uniqueId: string; origin: string };

/**
 * Input that may have consequences, before it is sent. `press`: a mouse button or finger goes down. `drop`: a drag ends
 * away from its start. `Submit`: Enter with Control or Meta. `isRepeated`: a press after the first of a double or
 * triple click.
 */
export type ApprovableInput =
  | { kind: 'press' | 'drop'; x: number; y: number; isRepeated: boolean }
  | { kind: 'key'; key: 'Enter' | 'Submit' | 'Space' | 'Delete' }
  | { kind: 'access_key'; character: string }
  | { kind: 'upload'; element: PageElement }
  | { kind: 'choose'; element: PageElement; wanted: readonly string[] };

/**
 * Called before a {@link ApprovableInput}.
 * @throws {PeriscopeError} `approval_needed` if the input must not be sent now
 */
export type InputApprovalCheck = (input: ApprovableInput, signal: AbortSignal) => Promise<void>;

export type Tab = {
  /** Id of the frame that receives the input of the current call; `null` for the tab's main document. */
  inputFrame: string | null;
  /**
   * Checks the site rules before each input event, because the page may have changed since the call began.
   * @throws {PeriscopeError} `blocked_by_rule`
   */
  checkInput: (effect: 'pointer' | 'act') => void;
  /** Sends an input event. Requests of the page count as its effect until the page has handled the event. */
  duringInput?: <T>(send: () => Promise<T>) => Promise<T>;
  readonly id: string;
  readonly targetId: string;
  readonly session: CdpSession;
  readonly hasTouch: boolean;
  readonly channels?: Pick<LiveChannels, 'areOpen'>;
  /** Closes the tab of a page that cannot be stopped. The tab counts as crashed. */
  endHung: () => void;
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
  /** Asks the user before an input where a site rule requires it; `null` or absent if no rule does. */
  readonly askFirst?: InputApprovalCheck | null;
  readonly typedIn: ReadonlySet<string>;
  /** The element that was clicked last. A menu that is open now may be its menu. */
  lastClicked?: ClickedNode | null;
  readonly files: ReadonlyMap<string, string>;
};

export type ClickedNode = { frameId: string; backendNodeId: number };

export type PageElement = {
  tab: Tab;
  frame: Frame;
  backendNodeId: number;
  /** Handle in the isolated world of the element's document. */
  objectId: string;
  /** Chromium's role and accessible name. The name is page text. For many handles from scripts: `generic` and `''`. */
  role: string;
  name: string;
  /** The searched text, if the element contains more text: a click is aimed at this part. */
  words?: string;
};

/** The field that the last action wrote to. `text`: what was written; empty for a secret. */
export type WrittenField = { element: PageElement; text: string };

export type DialogAnswer = { accept: boolean; text?: string | undefined };

export type PageDialog = { type: string; message: string; proposed: string };

/** The driver of a session's tabs (person or model), and how to ask the user. All tabs share this object. */
export type TabDriver<Driven> = {
  isDriving: boolean;
  askDialog: ((tab: Driven, dialog: PageDialog) => Promise<DialogAnswer>) | null;
  onTyped: (tab: Driven) => void;
  /** Called when a page opens a WebSocket. */
  onSocket: (tab: Driven, url: string, session: CdpSession) => void;
  /** Called when a call is about to act in a tab. */
  onAct: (tab: Driven) => void;
  /** The check before input in a tab; `null` if no rule there requires the user's approval. */
  askFirst: (tab: Driven) => InputApprovalCheck | null;
  /** False if a call may not accept dialogs of this tab, because the user has not approved the act that opened them. */
  mayAcceptDialog: (tab: Driven) => boolean;
};

export const createNoDriver = <Driven>(): TabDriver<Driven> => ({
  isDriving: false,
  askDialog: null,
  onTyped: () => undefined,
  onSocket: () => undefined,
  onAct: () => undefined,
  askFirst: () => null,
  mayAcceptDialog: () => true,
});
