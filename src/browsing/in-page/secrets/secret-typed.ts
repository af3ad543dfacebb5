/** Three ways to type: replace the field's value, insert into it, or continue in the focused field. */
export type SecretManner = 'replace' | 'insert' | 'goOn';
/**
 * `site`, `around`: the document, or one around it, belongs to another site. `opaque`: the document has no origin.
 * `form`: the field's form is sent to another site. `full`: the field accepts no further letter, unless the page moves
 * the focus. `cut`: the page left only a part of the typed text, so the field was emptied.
 */
export type SecretState =
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
  | 'unfocusable';
/**
 * `origins`: of the document, then of the documents around it, the nearest first. `isHeld`: the field contains exactly
 * this text. `box`: index of the field among those of this typing, from 0; `null` when nothing was typed.
 */
export type SecretTyped = { state: SecretState; isHeld: boolean; origins: string[]; box: number | null };
