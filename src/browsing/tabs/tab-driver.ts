import type { InputCheck } from './tab.ts';

export type DialogAnswer = { accept: boolean; text?: string | undefined };

export type PageDialog = { type: string; message: string; proposed: string };

/** The person or model that drives the tabs of a session, and the person to ask. All tabs share this object. */
export type TabDriver<Tab> = {
  isDriving: boolean;
  askDialog: ((tab: Tab, dialog: PageDialog) => Promise<DialogAnswer>) | null;
  onTyped: (tab: Tab) => void;
  /** The check before input in a tab; `null` if no person is asked there. */
  askFirst: (tab: Tab) => InputCheck | null;
};

export const noDriver = <Tab>(): TabDriver<Tab> => ({
  isDriving: false,
  askDialog: null,
  onTyped: () => undefined,
  askFirst: () => null,
});
