/** What a call of a session may do. */
export type Kind = {
  /** It may start a session. */
  opens: boolean;
  /** There may be something new to keep after it. */
  changes: boolean;
  /** It does something to the session: not while a person drives it. */
  acts: boolean;
  /** Its result tells models what happened since the last one. */
  tells: boolean;
  /** What the person sees as the step that it was; missing where it is none. */
  step?: string;
  /** It is done again when the browser ends during it: what only looks can, what acts might act twice. */
  repeats: boolean;
};
export const OPENS: Kind = { step: 'launch', opens: true, changes: true, acts: true, tells: true, repeats: true };
export const CHANGES_AND_OPENS: Kind = {
  step: 'navigate',
  opens: true,
  changes: true,
  acts: true,
  tells: true,
  repeats: false,
};
const CHANGES: Kind = { opens: false, changes: true, acts: true, tells: true, repeats: false };
export function changesBy(step: string): Kind {
  return { ...CHANGES, step };
}
export const LOOKS: Kind = { opens: false, changes: false, acts: false, tells: true, repeats: true };
/** It looks only, but the page may change meanwhile. */
export const WAITS: Kind = { opens: false, changes: true, acts: false, tells: true, repeats: true };
/** It looks for a person: what models have not heard yet, they hear with the next call. */
export const WAKES: Kind = { ...LOOKS, tells: false };
