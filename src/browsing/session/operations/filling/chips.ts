import { sleep } from '#core/flow/abort.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import { pageElementOf } from '#browsing/locate/find.ts';
import { containsWholeWords, isDescendantOf } from '#browsing/locate/within.ts';
import { elementOfNode, everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { FIELD_ROLES, SELF_CHANGING_ROLES } from '#browsing/tree/roles.ts';
import { resolveShownName, textWithin } from '#browsing/view/line/element-line.ts';
import { hasOnlyInvisibleText } from '#browsing/view/pieces.ts';
import { readTabPage } from '#browsing/view/page/page.ts';
import type { Page } from '#browsing/view/page/page.ts';
import { toComparableText } from '#browsing/view/words.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';

/** Maximum levels climbed from a field to the container of its chips (the tags for chosen values, each with an ×). */
const HOLDER_STEPS_MAX = 6;
const LOOK_AGAIN_MS = 150;
/**
 * Time to wait for a value's chip before typing the next value, because many pages empty the field when the chip
 * appears.
 */
const CHIP_MS_MAX = 1_000;
/** Minimum characters of a part of an option's text, such as an initial or icon, that can identify the option. */
const PART_CHARS_MIN = 2;

const LISTS: ReadonlySet<string> = new Set(['listbox', 'menu', 'tree', 'grid']);

/** The text of a chosen option, and the places around the field where this text was already shown before the click. */
export type ChipBaseline = {
  /** Backend node ids of the containers that hold this field and no other, outermost first. */
  holders: readonly number[];
  frameId: string;
  words: ReadonlySet<string>;
  options: ReadonlySet<number | null>;
  label: string;
  before: Shown;
  /** False if the option was already chosen, so that no new chip will appear. */
  isAwaited: boolean;
};

/** Elements around a field that may show a chosen option. */
type Shown = {
  /** Number of elements whose text is the option's label, a part of it, or the value that the call passed. */
  exact: number;
  /** Texts that contain the label. */
  containing: ReadonlySet<string>;
};

/** Records a field's surroundings before a click on an option, so that {@link findNewChip} detects the new chip. */
export function recordChipBaseline(
  page: Page,
  { frame, backendNodeId }: PageElement,
  {
    option,
    options,
    value,
    isAwaited = true,
  }: { option: AxElement; options: readonly AxElement[]; value: string; isAwaited?: boolean },
): ChipBaseline | null {
  const root = page.documents.find((document) => document.frame.id === frame.id)?.root;
  const field = root === undefined ? null : elementOfNode(root, backendNodeId);
  if (field === null) return null;
  const label = stripPunctuation(resolveShownName(option, page) || textWithin(option));
  const parts = [...everyElement(option)]
    .filter(({ role }) => role === 'StaticText')
    .map(({ name }) => stripPunctuation(name));
  const words = new Set([label, stripPunctuation(value), ...parts.filter((part) => part.length >= PART_CHARS_MIN)]);
  const holders = holdersOf(field).flatMap((holder) => holder.backendNodeId ?? []);
  const shown = new Set(options.map((one) => one.backendNodeId));
  const watch = { holders, frameId: frame.id, words, options: shown, label, isAwaited };
  return { ...watch, before: shownAround(page, watch) };
}

/** Reports whether the chosen text is shown next to the field. `as before`: it was already there before the choice. */
export async function findNewChip(
  { tab, signal }: OperationWork,
  watch: ChipBaseline | null,
): Promise<'new' | 'as before' | 'none'> {
  if (watch === null) return 'none';
  const { exact, containing } = shownAround(await readTabPage(tab, null, signal), watch);
  const { before } = watch;
  if (exact > before.exact || [...containing].some((text) => !before.containing.has(text))) return 'new';
  return exact > 0 && exact === before.exact ? 'as before' : 'none';
}

/** Waits for the chip of a value. Returns the field, which the page may have replaced together with its chips. */
export async function waitForChip(
  work: OperationWork,
  element: PageElement,
  watch: ChipBaseline | null,
): Promise<PageElement> {
  if (watch === null) return element;
  const end = Date.now() + CHIP_MS_MAX;
  while (watch.isAwaited && (await findNewChip(work, watch)) !== 'new' && Date.now() < end)
    await sleep(LOOK_AGAIN_MS, work.signal);
  const page = await readTabPage(work.tab, null, work.signal);
  const holder = holderNow(page, watch);
  if (holder === null || elementOfNode(holder, element.backendNodeId) !== null) return element;
  const field = [...everyElement(holder)].find(isField);
  return (field === undefined ? null : await pageElementOf(work.tab, field)) ?? element;
}

/** The ancestors of a field that contain no other field, outermost first. */
function holdersOf(field: AxElement): AxElement[] {
  const holders: AxElement[] = [];
  for (let at = field.parent; at !== null && holders.length < HOLDER_STEPS_MAX; at = at.parent) {
    if ([...everyElement(at)].some((one) => one !== field && isField(one) && !isDescendantOf(one, field))) break;
    holders.unshift(at);
  }
  return holders;
}

function isField({ role, properties }: AxElement): boolean {
  return role !== 'listbox' && (FIELD_ROLES.has(role) || properties.get('editable') === 'plaintext');
}

function holderNow(page: Page, { holders, frameId }: Pick<ChipBaseline, 'holders' | 'frameId'>): AxElement | null {
  const root = page.documents.find(({ frame }) => frame.id === frameId)?.root;
  if (root === undefined) return null;
  for (const node of holders) {
    const holder = elementOfNode(root, node);
    if (holder !== null) return holder;
  }
  return null;
}

/** Finds the text of a choice around the field. Open options, other fields and announcements do not count. */
function shownAround(page: Page, watch: Omit<ChipBaseline, 'before'>): Shown {
  const holder = holderNow(page, watch);
  let exact = 0;
  const containing = new Set<string>();
  const open = holder === null ? [] : [holder];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const { role, backendNodeId, children } = one;
    const isAround = [...everyElement(one)].some(isField);
    const isOther =
      isField(one) ||
      SELF_CHANGING_ROLES.has(role) ||
      watch.options.has(backendNodeId) ||
      hasOnlyInvisibleText(one, page);
    if (isOther || (LISTS.has(role) && !isAround)) continue;
    const text = stripPunctuation(textWithin(one));
    if (!isAround && watch.words.has(text)) {
      exact += 1;
      continue;
    }
    // Only the smallest element with the label counts, because a larger one may change for another reason.
    const isSmallest = !children.some((child) => containsWholeWords(stripPunctuation(textWithin(child)), watch.label));
    if (!isAround && isSmallest && containsWholeWords(text, watch.label)) containing.add(text);
    open.push(...children);
  }
  return { exact, containing };
}

/** The words of a text without punctuation and symbols, such as the × that removes a chip. */
export function stripPunctuation(text: string): string {
  return toComparableText(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
