import { DIALOG_ROLES } from '#browsing/tree/roles.ts';
import { leadingElement } from '#browsing/view/view-line.ts';
import type { ShownElement } from '#browsing/view/view-line.ts';
import type { ComparableLine } from './known.ts';
import type { LinePairing } from './pair-lines.ts';

export function isDialogLine(line: ComparableLine): boolean {
  return line.kind === 'group' && DIALOG_ROLES.has(leadingElement(line)?.role ?? '');
}

/**
 * The dialog around an action that changed something, but added or changed no line in this dialog. `null` without such
 * a dialog, and if it closed.
 * @param at ref of the action's target; without a line of its own, the target is taken to be in the modal dialog
 */
export function findDialogLeftOpen(
  then: readonly ComparableLine[],
  now: readonly ComparableLine[],
  { same, changed }: LinePairing,
  told: readonly { sign: string; place: number }[],
  at: string | null,
): ShownElement | null {
  const dialog = placeOfDialog(then, at);
  if (dialog === -1 || told.length === 0) return null;
  const place = now.findIndex((_, one) => (same[one] ?? -1) === dialog || (changed[one] ?? -1) === dialog);
  const line = now[place];
  if (line === undefined || !isDialogLine(line)) return null;
  const after = now.findIndex(({ depth }, one) => one > place && depth <= line.depth);
  const end = after === -1 ? now.length : after;
  const isShown = told.some((change) => change.sign !== '-' && change.place >= place && change.place < end);
  return isShown ? null : leadingElement(line);
}

function placeOfDialog(then: readonly ComparableLine[], at: string | null): number {
  const from = at === null ? -1 : then.findIndex(({ refs }) => refs.includes(at));
  if (from === -1)
    return then.findLastIndex((line) => isDialogLine(line) && leadingElement(line)?.states.includes('modal') === true);
  let depth = Infinity;
  for (let place = from; place >= 0; place -= 1) {
    const line = then[place];
    if (line === undefined || line.depth >= depth) continue;
    if (isDialogLine(line)) return place;
    depth = line.depth;
  }
  return -1;
}
