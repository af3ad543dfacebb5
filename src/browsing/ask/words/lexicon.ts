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
  /** `words`: text is compared word by word. `characters`: for scripts without spaces, anywhere in the text. */
  by: 'words' | 'characters';
  acts: Readonly<Record<Meaning, string>>;
  /** Phrases that contain such a word and mean something else. */
  harmless: string;
  /** Names that only confirm what the text around them says. */
  confirms: string;
  /** Names that confirm in a dialog, and lead to the next page elsewhere. */
  continues: string;
  /** Nouns around a confirming button. They mean nothing on a control of their own: many links are called so. */
  nouns: Readonly<Partial<Record<Meaning, string>>>;
  /** Names that publish when they submit a form with free text, and open such a form elsewhere. */
  replies: string;
  /** Buttons in a form without a submit button that do not submit it. */
  aside: string;
  /** Fields in which Enter sends a message. */
  messages: string;
  /** Text of a cookie banner: accepting one is no contract. */
  cookies: string;
};
