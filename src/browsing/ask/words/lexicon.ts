/** Effects that the name of a button or link can announce, such as `Buy now`. */
export type ActionMeaning =
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
 * The words of one language. Each string lists phrases, separated by commas. A `*` at the end of a word matches any
 * ending.
 */
export type ActionLexicon = {
  /** `words`: compares whole words. `characters`: finds phrases anywhere, for languages written without spaces. */
  by: 'words' | 'characters';
  acts: Readonly<Record<ActionMeaning, string>>;
  /** Harmless phrases that contain a word of an act, such as `sort order`. */
  harmless: string;
  /**
   * Words of `acts` are harmless nouns after a word of `before` or before a word of `after`: `my order`, `book
   * details`. With a word of `makers` in front, they are acts: `complete my order`.
   */
  nounUses?: { acts: string; before: string; after: string; makers: string };
  /** Button names such as `Yes`, which confirm the act that the text around the button describes. */
  confirms: string;
  /** Button names such as `Continue`. In a dialog, they confirm an act. Elsewhere, they lead to the next page. */
  continues: string;
  /** Nouns such as `payment`. In the text around a button named `Yes`, they show which act the button confirms. */
  nouns: Readonly<Partial<Record<ActionMeaning, string>>>;
  /** Button names such as `Reply`. In a form with a non-empty multi-line field, they publish its text. */
  replies: string;
  /** Button names such as `Show`, which do not submit the form. Used for forms without a submit button. */
  aside: string;
  /** Names of text fields, such as `Message`, in which Enter sends the text. */
  messages: string;
  /** Words of a cookie banner. Its `Accept` button causes no question. */
  cookies: string;
  /** Whole button names, such as `Search` or `Add to basket`. Forms with such a button are sent without a question. */
  ordinary: string;
};
