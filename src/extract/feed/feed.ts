/** Words in which feeds are told, whatever their format. */
export type Feed = {
  title: FeedText;
  description: FeedText;
  language: string | null;
  link: string;
  entries: FeedEntry[];
  /** Entries that the feed holds, shown or not. */
  total: number;
};

export type FeedText = { text: string; isHtml: boolean };

export type FeedEntry = {
  title: FeedText;
  link: string;
  /** As written. */
  date: string;
  authors: string[];
  content: FeedText;
};

export const NO_TEXT: FeedText = { text: '', isHtml: false };
