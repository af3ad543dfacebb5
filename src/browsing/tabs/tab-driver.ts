import type { InputCheck } from './tab.ts';

export type DialogAnswer = { accept: boolean; text?: string | undefined };

export type PageDialog = { type: string; message: string; proposed: string };

/** The person or model that drives the tabs of a session, and the person to ask. All tabs share this object. */
export type TabDriver<Tab> = {
  isDriving: boolean;
  askDialog: ((tab: Tab, dialog: PageDialog) => Promise<DialogAnswer>) | null;
  onTyped: (tab: Tab) => void;
  /** A page opens a WebSocket. */
  onSocket: (tab: Tab, url: string) => void;
  /** The check before input in a tab; `null` if no person is asked there. */
  askFirst: (tab: Tab) => InputCheck | null;
  /** False for a tab in which the person must approve an act before a call may accept the dialogs of the page. */
  mayAcceptDialog: (tab: Tab) => boolean;
};

export const noDriver = <Tab>(): TabDriver<Tab> => ({
  isDriving: false,
  askDialog: null,
  onTyped: () => undefined,
  onSocket: () => undefined,
  askFirst: () => null,
  mayAcceptDialog: () => true,
});
