/** Replaces the value of the field, adds to it, or goes on in the focused field. */
export type SecretManner = 'replace' | 'insert' | 'goOn';
/**
 * `site`, `around`: the document, or one around it, is of another site. `opaque`: of none. `form`: its form is sent to
 * another one. `full`: it takes no further letter, unless the page moves the focus on. `cut`: the page has left a part of what
 * was typed, so it was taken out again.
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
 * `origins`: of the document, then of those around it, the nearest first. `isHeld`: the field holds just this. `box`: which of the
 * fields it is that this typing went into, from 0 on; `null` when nothing was typed.
 */
export type SecretTyped = { state: SecretState; isHeld: boolean; origins: string[]; box: number | null };
