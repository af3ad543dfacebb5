/** `replace`: replaces the field's value. `insert`: inserts into it. `goOn`: continues in the field with the focus. */
export type SecretTypingMode = 'replace' | 'insert' | 'goOn';
/**
 * `site`: the document belongs to another site than the secret. `around`: a document around its frame does. `opaque`:
 * the document has no origin. `form`: the form would be sent to another site. `full`: the field accepts no more
 * letters. `cut`: the page kept only a part of the secret, so the field was emptied. `frame`: a frame in the document
 * has the focus.
 */
export type SecretTypingState =
  | 'ready'
  | 'typed'
  | 'site'
  | 'around'
  | 'opaque'
  | 'gone'
  | 'field'
  | 'readonly'
  | 'form'
  | 'full'
  | 'cut'
  | 'frame'
  | 'unfocusable';
export type SecretTypingResult = {
  state: SecretTypingState;
  /** True if the field contains exactly this text. Checked only with `replace`; always true for a typed letter. */
  isHeld: boolean;
  /** Origins of the document and of the documents around its frame, nearest first. */
  origins: string[];
  /** Index of the field among the fields of this typing operation, from 0; `null` if nothing was typed. */
  box: number | null;
};
