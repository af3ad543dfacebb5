import { fail, PeriscopeError } from '#core/failures/failure.ts';
import type { RefStaleness } from '#core/failures/browser-failures.ts';
import { displayRole } from '#browsing/tree/roles.ts';
import { everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import type { Tab } from '#browsing/tabs/tab.ts';
import type { RefSurroundings, ElementRefs, RefTarget } from '#browsing/refs/refs.ts';
import { readContextWords } from '#browsing/refs/context-words.ts';
import { resolveShownName, textWithin } from '#browsing/view/line/element-line.ts';
import { isInteractive } from '#browsing/view/interactive.ts';
import { readTabPage } from '#browsing/view/page/page.ts';
import type { Page } from '#browsing/view/page/page.ts';
import { toComparableText } from '#browsing/view/words.ts';
import { describeFoundElements, fenceText } from './find.ts';

const SUCCESSORS_SHOWN_MAX = 10;
/** Maximum levels climbed from an element to its row. */
const ROW_STEPS_MAX = 6;

/**
 * Fails for a ref that is no longer valid. @param target the element for which the ref was created; `null` if unknown
 * @throws {PeriscopeError} `stale_ref`, with lines for the current element and for elements with its role and name
 */
export async function failStaleRef(
  ref: string,
  reason: RefStaleness,
  target: RefTarget | null,
  tab: Tab,
  refs: ElementRefs,
  signal: AbortSignal,
): Promise<never> {
  const found = target === null ? null : await successorWords(target, tab, refs, signal);
  return fail({ code: 'stale_ref', ref, reason, ...found });
}

const GENERIC = displayRole('generic');

type Words = { alike: string; ofRole?: true };

async function successorWords(
  target: RefTarget,
  tab: Tab,
  refs: ElementRefs,
  signal: AbortSignal,
): Promise<Words | null> {
  try {
    const named = target.name === '' ? {} : { named: target.name };
    const page = await readTabPage(tab, { frameId: tab.main().id, from: null, within: null, ...named }, signal);
    const { meant, isSame } = successorsOf(target, page);
    const lines = await describeFoundElements(meant.slice(0, SUCCESSORS_SHOWN_MAX), tab, refs, signal);
    if (lines.length === 0) return null;
    const left = meant.length - SUCCESSORS_SHOWN_MAX;
    const shown = left > 0 ? [...lines, `(${left} more)`] : lines;
    return { alike: await fenceText(shown.join('\n')), ...(isSame ? {} : { ofRole: true }) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof PeriscopeError)) throw error;
    return null;
  }
}

/**
 * The element itself, then others with its role and name (those in its row first). If there are none, others with its
 * role.
 */
function successorsOf(target: RefTarget, page: Page): { meant: AxElement[]; isSame: boolean } {
  const role = displayRole(target.role);
  const known = page.documents.flatMap(({ root }) => [...everyElement(root)]);
  const ofRole = known.filter(
    (one) =>
      one.backendNodeId !== null &&
      !one.ignored &&
      displayRole(one.role) === role &&
      // Nearly every element of a page is generic, so generic elements count only if interactive.
      (role !== GENERIC || isInteractive(one, page)),
  );
  const isItself = ({ backendNodeId, document }: AxElement) =>
    backendNodeId === target.backendNodeId && document.loaderId === target.loaderId;
  const name = toComparableText(target.name);
  const isCalled = (one: AxElement) =>
    toComparableText(one.name) === name || toComparableText(resolveShownName(one, page) || textWithin(one)) === name;
  const itself = known.filter((one) => isItself(one) && !one.ignored);
  const same = ofRole.filter((one) => !isItself(one) && isCalled(one));
  const { context } = target;
  const there = context?.kind === 'part' ? same.filter((one) => standsIn(one, context)) : [];
  // Without a name, every generic element would match, and a list of so many would not help.
  if (role === GENERIC && name === '' && same.length > SUCCESSORS_SHOWN_MAX) return { meant: itself, isSame: false };
  const isSame = same.length > 0 || itself.some(isCalled);
  const others = isSame
    ? [...there, ...same.filter((one) => !there.includes(one))]
    : ofRole.filter((one) => !isItself(one));
  return { meant: [...itself, ...others], isSame };
}

function standsIn(element: AxElement, { kindOfWords, text }: Extract<RefSurroundings, { kind: 'part' }>): boolean {
  let at = element.parent;
  for (let steps = 0; at !== null && steps < ROW_STEPS_MAX; at = at.parent, steps += 1) {
    if (readContextWords(at, element, kindOfWords) === text) return true;
  }
  return false;
}
