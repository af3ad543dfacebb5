import { labelsWithControls, openRoots } from '#browsing/in-page/elements/safe-dom.ts';
import type { DocumentPart } from '#browsing/in-page/script-types.ts';

const BOXES = 'input[type=checkbox],input[type=radio]';

/**
 * Makes Chromium find the labels of controls before it builds the accessibility tree. It looks through the whole
 * document for the labels of each control and stores them, which takes seconds for thousands of controls. The tree needs
 * the labels of all check boxes and radio buttons, and those of the described fields.
 * @param from index of the first control; `0` to begin
 * @param ms time after which the work is interrupted, so that the page stays responsive
 * @returns the index of the next control; `-1` at the end
 */
export function prepareLabels({ whole }: DocumentPart<Node>, from: number, ms: number): number {
  const endsAt = performance.now() + ms;
  const controls = new Set(openRoots().flatMap((root) => labelsWithControls(root).map(([, control]) => control)));
  const described = new Set(whole);
  for (const [at, control] of [...controls].entries()) {
    if (at < from || !isNeeded(control, described)) continue;
    if (performance.now() >= endsAt) return at;
    const labels: NodeList | null = Reflect.get(control, 'labels');
    void labels?.length;
  }
  return -1;
}

function isNeeded(control: Element, described: ReadonlySet<Node>): boolean {
  if (!Element.prototype.checkVisibility.call(control)) return false;
  if (Element.prototype.matches.call(control, BOXES)) return true;
  for (let at: Node | null = control; at !== null; at = Reflect.get(Node.prototype, 'parentNode', at))
    if (described.has(at)) return true;
  return false;
}
