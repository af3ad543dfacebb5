import { sleep } from '#core/flow/abort.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import { pageElementOf } from '#browsing/locate/find.ts';
import { holdsWords, isWithin } from '#browsing/locate/within.ts';
import { elementOfNode, everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { FIELD_ROLES, VOLATILE_ROLES } from '#browsing/tree/roles.ts';
import { nameShown, textWithin } from '#browsing/view/element-line.ts';
import { isUnseen } from '#browsing/view/pieces.ts';
import { readTabPage } from '#browsing/view/page/page.ts';
import type { Page } from '#browsing/view/page/page.ts';
import { alike } from '#browsing/view/words.ts';
import type { Work } from '#browsing/session/operations/perform.ts';

/** Maximum levels from a field to the part that also contains its chips. Component libraries nest several boxes. */
const HOLDER_STEPS_MAX = 6;
const LOOK_AGAIN_MS = 150;
/** Wait for a chip before the next value is typed, because many pages empty the field together with it. */
const CHIP_MS_MAX = 1_000;
/** Shorter texts of an option, such as an initial or an icon, do not identify it. */
const PART_CHARS_MIN = 2;

const LISTS: ReadonlySet<string> = new Set(['listbox', 'menu', 'tree', 'grid']);

/** The words of a choice and where the field's surroundings show them before the option is clicked. */
export type ChipWatch = {
  /** The parts around the field up to the next field, the outermost first, by node. */
  holders: readonly number[];
  frameId: string;
  words: ReadonlySet<string>;
  options: ReadonlySet<number | null>;
  label: string;
  before: Shown;
  /** False if the option was already chosen, so that no chip appears. */
  isAwaited: boolean;
};

/** `exact`: number of parts with exactly the words of a choice. `containing`: texts that contain its label. */
type Shown = { exact: number; containing: ReadonlySet<string> };

/** Records the surroundings of a field, so that {@link chipShown} can find the choice there. */
export function watchChip(
  page: Page,
  { frame, backendNodeId }: PageElement,
  {
    option,
    options,
    value,
    isAwaited = true,
  }: { option: AxElement; options: readonly AxElement[]; value: string; isAwaited?: boolean },
): ChipWatch | null {
  const root = page.documents.find((document) => document.frame.id === frame.id)?.root;
  const field = root === undefined ? null : elementOfNode(root, backendNodeId);
  if (field === null) return null;
  const label = bareWords(nameShown(option, page) || textWithin(option));
  const parts = [...everyElement(option)]
    .filter(({ role }) => role === 'StaticText')
    .map(({ name }) => bareWords(name));
  const words = new Set([label, bareWords(value), ...parts.filter((part) => part.length >= PART_CHARS_MIN)]);
  const holders = holdersOf(field).flatMap((holder) => holder.backendNodeId ?? []);
  const shown = new Set(options.map((one) => one.backendNodeId));
  const watch = { holders, frameId: frame.id, words, options: shown, label, isAwaited };
  return { ...watch, before: shownAround(page, watch) };
}

/** Reports whether the words of a choice are next to the field. `as before`: they were there before the choice. */
export async function chipShown({ tab, signal }: Work, watch: ChipWatch | null): Promise<'new' | 'as before' | 'none'> {
  if (watch === null) return 'none';
  const { exact, containing } = shownAround(await readTabPage(tab, null, signal), watch);
  const { before } = watch;
  if (exact > before.exact || [...containing].some((text) => !before.containing.has(text))) return 'new';
  return exact > 0 && exact === before.exact ? 'as before' : 'none';
}

/** Waits for the chip of one value, then returns the field, which the page may have rebuilt together with its chips. */
export async function fieldAfterChip(work: Work, element: PageElement, watch: ChipWatch | null): Promise<PageElement> {
  if (watch === null) return element;
  const end = Date.now() + CHIP_MS_MAX;
  while (watch.isAwaited && (await chipShown(work, watch)) !== 'new' && Date.now() < end)
    await sleep(LOOK_AGAIN_MS, work.signal);
  const page = await readTabPage(work.tab, null, work.signal);
  const holder = holderNow(page, watch);
  if (holder === null || elementOfNode(holder, element.backendNodeId) !== null) return element;
  const field = [...everyElement(holder)].find(isField);
  return (field === undefined ? null : await pageElementOf(work.tab, field)) ?? element;
}

/** The ancestors of a field that contain no other field, the outermost first. */
function holdersOf(field: AxElement): AxElement[] {
  const holders: AxElement[] = [];
  for (let at = field.parent; at !== null && holders.length < HOLDER_STEPS_MAX; at = at.parent) {
    if ([...everyElement(at)].some((one) => one !== field && isField(one) && !isWithin(one, field))) break;
    holders.unshift(at);
  }
  return holders;
}

function isField({ role, properties }: AxElement): boolean {
  return role !== 'listbox' && (FIELD_ROLES.has(role) || properties.get('editable') === 'plaintext');
}

function holderNow(page: Page, { holders, frameId }: Pick<ChipWatch, 'holders' | 'frameId'>): AxElement | null {
  const root = page.documents.find(({ frame }) => frame.id === frameId)?.root;
  if (root === undefined) return null;
  for (const node of holders) {
    const holder = elementOfNode(root, node);
    if (holder !== null) return holder;
  }
  return null;
}

/** Finds the words of a choice around the field. Options, fields and announcements do not count. */
function shownAround(page: Page, watch: Omit<ChipWatch, 'before'>): Shown {
  const holder = holderNow(page, watch);
  let exact = 0;
  const containing = new Set<string>();
  const open = holder === null ? [] : [holder];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const { role, backendNodeId, children } = one;
    const isAround = [...everyElement(one)].some(isField);
    const isOther = isField(one) || VOLATILE_ROLES.has(role) || watch.options.has(backendNodeId) || isUnseen(one, page);
    if (isOther || (LISTS.has(role) && !isAround)) continue;
    const text = bareWords(textWithin(one));
    if (!isAround && watch.words.has(text)) {
      exact += 1;
      continue;
    }
    // The smallest part that contains the label, because a larger part may change for another reason.
    const isSmallest = !children.some((child) => holdsWords(bareWords(textWithin(child)), watch.label));
    if (!isAround && isSmallest && holdsWords(text, watch.label)) containing.add(text);
    open.push(...children);
  }
  return { exact, containing };
}

/** The words of a text without punctuation and symbols, such as the × of a chip. */
export function bareWords(text: string): string {
  return alike(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
