/** What a call of a session may do. */
export type Kind = {
  /** It may start a session. */
  opens: boolean;
  /** There may be something new to keep after it. */
  changes: boolean;
  /** It is done again when the browser ends during it: what only looks can, what acts might act twice. */
  repeats: boolean;
};
export const OPENS: Kind = { opens: true, changes: true, repeats: true };
export const CHANGES_AND_OPENS: Kind = { opens: true, changes: true, repeats: false };
export const CHANGES: Kind = { opens: false, changes: true, repeats: false };
export const LOOKS: Kind = { opens: false, changes: false, repeats: true };
/** It looks only, but the page may change meanwhile. */
export const WAITS: Kind = { opens: false, changes: true, repeats: true };
