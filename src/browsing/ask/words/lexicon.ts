/** Effects that the words of a control announce. */
export type Meaning =
  | 'buy'
  | 'pay'
  | 'order'
  | 'book'
  | 'send'
  | 'publish'
  | 'delete'
  | 'cancel'
  | 'transfer'
  | 'accept'
  | 'grant';

/**
 * The words of one language. Each text lists phrases with commas between them. A `*` at the end of a word stands for
 * any ending.
 */
export type Lexicon = {
  /** `words`: compares word by word. `characters`: finds phrases anywhere, for scripts without spaces. */
  by: 'words' | 'characters';
  acts: Readonly<Record<Meaning, string>>;
  /** Phrases that contain a word of this lexicon but have a harmless meaning. */
  harmless: string;
  /**
   * Acts that are nouns before or after these words: `Book details`, `my order`. They are then harmless, unless one of
   * `makers` stands before them: `Complete my order`.
   */
  nounUses?: { acts: string; before: string; after: string; makers: string };
  /** Names that only confirm an act described by the text around them. */
  confirms: string;
  /** Names that confirm an act in a dialog. Elsewhere they lead to the next page. */
  continues: string;
  /** Nouns in the text around a confirming button. They mean nothing in names of links, where they are common. */
  nouns: Readonly<Partial<Record<Meaning, string>>>;
  /** Names that publish a text when they submit a form with free text. Elsewhere they open such a form. */
  replies: string;
  /** Names of buttons that do not submit the form, in a form without a submit button. */
  aside: string;
  /** Names of fields in which Enter sends a message. */
  messages: string;
  /** Words of a cookie banner. Accepting cookies is not treated as accepting a contract. */
  cookies: string;
  /** Whole names of buttons whose form changes nothing outside the page or the basket. Such a form is not held. */
  ordinary: string;
};
