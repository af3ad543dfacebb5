/** The common form of all feed formats. */
export type Feed = {
  title: FeedText;
  description: FeedText;
  language: string | null;
  link: string;
  entries: FeedEntry[];
  /** Entries that the feed holds, whether they are shown or not. */
  total: number;
};

export type FeedText = { text: string; isHtml: boolean };

export type FeedEntry = {
  title: FeedText;
  link: string;
  /** As it is written. */
  date: string;
  authors: string[];
  content: FeedText;
};

export const NO_TEXT: FeedText = { text: '', isHtml: false };
