/** Replaces the value of the field, inserts into it, or continues in the focused field. */
export type SecretManner = 'replace' | 'insert' | 'goOn';
/**
 * `site`, `around`: the document, or one around it, belongs to another site. `opaque`: it has no origin. `form`: its
 * form is sent to another site. `full`: the field accepts no further letter, unless the page moves the focus. `cut`:
 * the page left a part of the typed text, so it was removed.
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
 * this text. `box`: index of the field among those of this typing, from 0 on; `null` when nothing was typed.
 */
export type SecretTyped = { state: SecretState; isHeld: boolean; origins: string[]; box: number | null };
