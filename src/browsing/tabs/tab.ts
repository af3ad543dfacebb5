import type { Protocol } from 'devtools-protocol';
import type { CdpSession } from '#browsing/cdp/connection.ts';

export type Frame = {
  id: string;
  parentId: string | null;
  /** Id of the frame's document, which changes with every load. Refs are bound to it. */
  loaderId: string;
  url: string;
  /** Set for an error page of the browser. It has the URL of the document that did not load. */
  isError?: true;
  /** Session of the frame's target. Cross-site frames run in their own process and target. */
  session: CdpSession;
};

/** True for the URL of a tab before its first document. Some tabs then have an empty URL. */
export function isBlankUrl(url: string): boolean {
  return url === '' || url === ':' || url === 'about:blank';
}

/** Execution context of a document's scripts. `origin`: own or inherited; `null` or `://` for an opaque origin. */
export type PageContext = { uniqueId: string; origin: string };

/**
 * Input that may have consequences, before it is sent. `press`: a mouse button or a finger goes down. `drop`: a drag
 * ends at another place than it began. `Submit`: Enter with Control or Meta. `isRepeated`: the second click of a double click.
 */
export type CheckedInput =
  | { kind: 'press' | 'drop'; x: number; y: number; isRepeated: boolean }
  | { kind: 'key'; key: 'Enter' | 'Submit' | 'Space' | 'Delete' }
  | { kind: 'access_key'; character: string }
  | { kind: 'upload'; element: PageElement }
  | { kind: 'choose'; element: PageElement; wanted: readonly string[] };

/** Called before such input. @throws {PeriscopeError} `approval_needed`, if the input must not be sent now */
export type InputCheck = (input: CheckedInput, signal: AbortSignal) => Promise<void>;

export type Tab = {
  /** The frame that receives the input of the current call; `null` for the tab's own document. */
  inputFrame: string | null;
  /**
   * Checks the rules before each input event, because the page may have changed since the call began.
   * @throws {PeriscopeError} `blocked_by_rule`
   */
  checkInput: (effect: 'pointer' | 'act') => void;
  /** Sends an input event. Until the page has handled it, what the page sends counts as an effect of the event. */
  duringInput?: <T>(send: () => Promise<T>) => Promise<T>;
  readonly id: string;
  readonly targetId: string;
  readonly session: CdpSession;
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
  /** Asks the person where a rule requires it. `null` without such a rule, so that input is sent without delay. */
  readonly askFirst?: InputCheck | null;
  readonly typedIn: ReadonlySet<string>;
  readonly files: ReadonlyMap<string, string>;
};

export type PageElement = {
  tab: Tab;
  frame: Frame;
  backendNodeId: number;
  /** Handle in the isolated world of the element's document. */
  objectId: string;
  /** Chromium's role and accessible name. The name is page text. */
  role: string;
  name: string;
  /** The matched text, if the element contains more text. */
  words?: string;
};

export type DialogAnswer = { accept: boolean; text?: string | undefined };

export type PageDialog = { type: string; message: string; proposed: string };

/** The person or model that drives the tabs of a session, and the person to ask. All tabs share this object. */
export type TabDriver<Driven> = {
  isDriving: boolean;
  askDialog: ((tab: Driven, dialog: PageDialog) => Promise<DialogAnswer>) | null;
  onTyped: (tab: Driven) => void;
  /** A page opens a WebSocket. */
  onSocket: (tab: Driven, url: string) => void;
  /** The check before input in a tab; `null` if no person is asked there. */
  askFirst: (tab: Driven) => InputCheck | null;
  /** False for a tab in which the person must approve an act before a call may accept the dialogs of the page. */
  mayAcceptDialog: (tab: Driven) => boolean;
};

export const noDriver = <Driven>(): TabDriver<Driven> => ({
  isDriving: false,
  askDialog: null,
  onTyped: () => undefined,
  onSocket: () => undefined,
  askFirst: () => null,
  mayAcceptDialog: () => true,
});
