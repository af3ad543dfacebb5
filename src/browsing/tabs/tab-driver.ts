import type { InputCheck } from './tab.ts';

export type DialogAnswer = { accept: boolean; text?: string | undefined };

export type PageDialog = { type: string; message: string; proposed: string };

/** Who drives the tabs of a session, and who is asked. All tabs share it. */
export type TabDriver<Tab> = {
  isDriving: boolean;
  askDialog: ((tab: Tab, dialog: PageDialog) => Promise<DialogAnswer>) | null;
  onTyped: (tab: Tab) => void;
  /** `null` for a tab in which nobody is asked. */
  askFirst: (tab: Tab) => InputCheck | null;
};

export const noDriver = <Tab>(): TabDriver<Tab> => ({
  isDriving: false,
  askDialog: null,
  onTyped: () => undefined,
  askFirst: () => null,
});
