/** What is known of a session before and after an action. Titles, addresses and messages are the page's: data. */
export type PageFacts = {
  url: string;
  title: string;
  /** Changes with every document. */
  loaderId: string;
  /** Open tabs in the order they opened. */
  tabs: readonly { id: string; url: string }[];
};

/** What happened in between, as the tab's log has it. */
export type Happening =
  | { kind: 'dialog'; type: string; message: string; answer: 'accepted' | 'dismissed' }
  | { kind: 'download' | 'popup'; url: string }
  | { kind: 'crash' };

export type Changes = {
  /** Where the page went, and whether that is another document or a place in the same one. */
  url: { from: string; to: string; isNewDocument: boolean } | null;
  title: { from: string; to: string } | null;
  dialogs: { type: string; message: string; answer: 'accepted' | 'dismissed' }[];
  tabsOpened: { id: string; url: string }[];
  tabsClosed: string[];
  downloadsBlocked: string[];
  popupsBlocked: string[];
  hasCrashed: boolean;
};

export function changesBetween(before: PageFacts, after: PageFacts, happened: readonly Happening[]): Changes {
  const isNewDocument = before.loaderId !== after.loaderId;
  const known = new Set(before.tabs.map(({ id }) => id));
  const open = new Set(after.tabs.map(({ id }) => id));
  return {
    url: isNewDocument || before.url !== after.url ? { from: before.url, to: after.url, isNewDocument } : null,
    title: before.title === after.title ? null : { from: before.title, to: after.title },
    dialogs: happened.flatMap((event) =>
      event.kind === 'dialog' ? [{ type: event.type, message: event.message, answer: event.answer }] : [],
    ),
    tabsOpened: after.tabs.filter(({ id }) => !known.has(id)).map(({ id, url }) => ({ id, url })),
    tabsClosed: before.tabs.filter(({ id }) => !open.has(id)).map(({ id }) => id),
    downloadsBlocked: happened.flatMap((event) => (event.kind === 'download' ? [event.url] : [])),
    popupsBlocked: happened.flatMap((event) => (event.kind === 'popup' ? [event.url] : [])),
    hasCrashed: happened.some(({ kind }) => kind === 'crash'),
  };
}

/** Whether anything is worth a word. */
export function hasChanged(changes: Changes): boolean {
  const { url, title, hasCrashed, dialogs, tabsOpened, tabsClosed, downloadsBlocked, popupsBlocked } = changes;
  const lists = [dialogs, tabsOpened, tabsClosed, downloadsBlocked, popupsBlocked];
  return url !== null || title !== null || hasCrashed || lists.some(({ length }) => length > 0);
}
