import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { everyElement } from '#browsing/tree/ax-tree.ts';
import { textNextToCheckable } from '#browsing/view/beside.ts';
import { resolveShownName, textWithin } from '#browsing/view/line/element-line.ts';
import { containsControls, isInteractive, acceptsOnlyDrops } from '#browsing/view/interactive.ts';
import { CHECKABLE_ROLES, CONTROL_ROLES, FIELD_ROLES } from '#browsing/tree/roles.ts';
import type { Page } from '#browsing/view/page/page.ts';
import type { ClickedNode } from '#browsing/tabs/tab.ts';
import { toOrdinal, ElementPositions } from '#browsing/view/line/places.ts';
import { toComparableText } from '#browsing/view/words.ts';
import { fail } from '#core/failures/failure.ts';
import { trimEndMatching } from '#core/text/text.ts';
import { isPlainTextTarget, parseCss } from './css-target.ts';
import { compileTextPattern } from './pattern.ts';
import type { TextPattern } from './pattern.ts';
import { hasRole, SCOPE_KINDS, TARGET_ROLE_NAMES } from './scopes.ts';
import { containsWholeWords, filterInsideContainer, isCutName, isDescendantOf, isNamedWith } from './within.ts';

/** A target by role and name, by text, or by words alone: the label of a field or, if no field has it, a text. */
export type Locator = {
  by: 'role' | 'text' | 'label';
  role: string;
  words: string;
  /** Position among the matches, from 1; `null` if not given. */
  nth: number | null;
  /** Position of an unnamed element as in views, such as `3rd of 5`. */
  place: string | null;
  /** Words of the row or section that contains the element. */
  within?: string;
  /** The kind of container around the element, such as `row` or `dialog`, if given. */
  part?: string;
  /** Larger containers around this one, such as the table of a row, innermost first. */
  outer?: readonly Pick<Locator, 'within' | 'part'>[];
  /**
   * Set if only exact names match, because the words may also be a CSS selector. `field`: only fields with this label
   * match. `control`: if no field has this label, other interactive elements with exactly this name match.
   */
  isExactly?: 'field' | 'control';
};

const INSIDE = String.raw`^(.*(?:[")]|/i?|nth=\d{1,9})|drop zone|[a-z]+)\s+in\s+(?:the\s+)?`;
const WITHIN = new RegExp(
  String.raw`${INSIDE}(?:([a-z]+)\s+)?(?:(?:with|of|named)\s+)?"([^"]+)"(?:\s+nth=(\d{1,9}))?$`,
  'isu',
);
/** Unquoted words name a container only after its kind, as in `button "Pay" in row Order 17`. */
const WITHIN_BARE = new RegExp(String.raw`${INSIDE}(row|listitem|item|dialog)\s+([^"]+?)(?:\s+nth=(\d{1,9}))?$`, 'isu');
/** A kind of container without words, as in `link "Inbox" in nav`. */
const WITHIN_KIND = new RegExp(String.raw`${INSIDE}([a-z]+)()(?:\s+nth=(\d{1,9}))?$`, 'isu');
const NTH = String.raw`(?:\s+nth=(\d{1,9}))?(?:\s+\((\d{1,4}(?:st|nd|rd|th) of \d{1,4}(?: in ".*")?)\))?`;
const BY_ROLE = new RegExp(String.raw`^(drop zone|[a-z]+)\s+"(.*)"${NTH}$`, 'isu');
const NAMELESS = /^(drop zone|[a-z]+)(?:\s+nth=(\d{1,9})|\s+\((\d{1,4}(?:st|nd|rd|th) of \d{1,4}(?: in ".*")?)\))$/isu;
const BY_TEXT = /^text=\s*(.+?)(?:\s+nth=(\d{1,9}))?$/isu;
const BY_LABEL = /^"([^"]+)"(?:\s+nth=(\d{1,9}))?$/su;

/** Maximum characters of a target, because these expressions take quadratic time. */
const TARGET_CHARS_MAX = 2_000;

/** Collapses white space, which names ignore, so that no expression tries every split of a long run of spaces. */
export function collapseWhiteSpace(words: string): string {
  return words.trim().replaceAll(/\s+/gu, ' ');
}

/**
 * Parses `button "Close issue"`, `textbox (3rd of 5)`, `text=Close issue` or `"Born"`, each with an optional ` nth=2`
 * and an optional ` in "Order 17"`; `null` for other forms.
 * @throws {PeriscopeError} `invalid_argument` for a target that is too long
 */
export function parseLocator(given: string): Locator | null {
  if (given.length > TARGET_CHARS_MAX) {
    const problem = `has more than ${TARGET_CHARS_MAX} characters`;
    fail({ code: 'invalid_argument', field: 'selector', problem, hint: 'Pass a ref, or a shorter name or selector.' });
  }
  const target = collapseWhiteSpace(given);
  const { inside, part, within, nth } = parseNestedTarget(target) ?? {};
  if (inside === undefined || within === undefined) return parseBare(target);
  const where = { within, ...(part === undefined ? {} : { part }) };
  const inner = parseNestedTarget(inside) === null ? null : parseLocator(inside);
  if (inner?.within !== undefined)
    return { ...inner, nth: inner.nth ?? ordinal(nth), outer: [...(inner.outer ?? []), where] };
  if (TARGET_ROLE_NAMES.has(inside))
    return { by: 'role', role: inside, words: '', nth: ordinal(nth), place: null, ...where };
  const words = ambiguousSelectorWords(inside);
  const named = words === null ? parseBare(inside) : { ...BY_WORDS, words };
  return named === null ? parseBare(target) : { ...named, nth: named.nth ?? ordinal(nth), ...where };
}

/** An unquoted text ends at ` in ` only if a kind of container follows, as in `text=Pay in row "Order 17"`. */
const TEXT_WITHIN = new RegExp(
  String.raw`^(text=.+?)\s+in\s+(?:the\s+)?(row|listitem|item|dialog|cell|group|region|form|list|menu)\s+"([^"]+)"(?:\s+nth=(\d{1,9}))?$`,
  'isu',
);

/** A target inside a container with certain words: `button in row "Order 17"`. */
type InPart = { inside: string; part?: string; within: string; nth?: string };

export function parseNestedTarget(given: string): InPart | null {
  const target = collapseWhiteSpace(given);
  const quoted = WITHIN.exec(target);
  const last = WITHIN_KIND.exec(target);
  // A text without quotes goes on to the end, as in `text=Open (12) in group`.
  const isBareText = /^text=[^"/]/iu.test(last?.[1] ?? '') && !/nth=\d{1,9}$/iu.test(last?.[1] ?? '');
  const kind = !isBareText && SCOPE_KINDS.has(last?.[2]?.toLowerCase() ?? '') ? last : null;
  const [, inside, part, within, nth] = quoted ?? TEXT_WITHIN.exec(target) ?? kind ?? WITHIN_BARE.exec(target) ?? [];
  if (inside === undefined || within === undefined) return null;
  // Words without quotes before ` in ` may be part of the text itself, as in "Sign in today".
  if (quoted === null && !/^text=|["\d)]$/iu.test(inside) && !TARGET_ROLE_NAMES.has(inside)) return null;
  const isPart = part !== undefined && !NO_PART.has(part.toLowerCase());
  return {
    inside,
    within: within.trim(),
    ...(isPart ? { part: part.toLowerCase() } : {}),
    ...(nth === undefined ? {} : { nth }),
  };
}

const NO_PART: ReadonlySet<string> = new Set(['with', 'of', 'named']);

function parseBare(words: string): Locator | null {
  const [, role, name = '', nth, place = null] = BY_ROLE.exec(words) ?? [];
  if (role !== undefined) return { by: 'role', role: role.toLowerCase(), words: name, nth: ordinal(nth), place };
  const [, only, which, where = null] = NAMELESS.exec(words) ?? [];
  if (only !== undefined && (where !== null || TARGET_ROLE_NAMES.has(only.toLowerCase())))
    return { by: 'role', role: only.toLowerCase(), words: '', nth: ordinal(which), place: where };
  const [, text, textNth] = BY_TEXT.exec(words) ?? [];
  if (text !== undefined)
    return { by: 'text', role: '', words: /^"(.*)"$/su.exec(text)?.[1] ?? text, nth: ordinal(textNth), place: null };
  const [, label, labelNth] = BY_LABEL.exec(words) ?? [];
  if (label !== undefined) return { by: 'label', role: '', words: label, nth: ordinal(labelNth), place: null };
  const { selector: plain, nth: plainNth } = parseCss(words);
  return isPlainTextTarget(plain) ? { ...BY_WORDS, words: plain, nth: plainNth } : null;
}

const BY_WORDS = { by: 'label', role: '', nth: null, place: null } as const;

/** Returns lower-case words that may be a CSS selector or a label (`title`, `e-mail`); `null` for others. */
export function ambiguousSelectorWords(given: string): string | null {
  const target = collapseWhiteSpace(given);
  return /^[a-z][a-z0-9]*(?:[ -][a-z0-9]+)*$/u.test(target) && !isPlainTextTarget(target) ? target : null;
}

export function exactLocator(words: string, isExactly: 'field' | 'control'): Locator {
  return { ...BY_WORDS, words, isExactly };
}

function ordinal(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits);
}

/**
 * Finds elements by name. Names that merely contain the words count only if no name equals them. If the accessible
 * element around a text contains more than the text, the text node itself is returned.
 * @param clicked the element that was clicked last, whose menu belongs to its row
 */
export function findElementsByName(page: Page, named: Locator, clicked: ClickedNode | null = null): AxElement[] {
  const { within, part, outer = [], ...anywhere } = named;
  if (within !== undefined) {
    let found = findElementsByName(page, { ...anywhere, nth: null });
    for (const { within: words = '', part: kind } of [...outer.toReversed(), { within, part }])
      found = filterInsideContainer(found, { words: toComparableText(words), part: kind }, page, clicked);
    return found;
  }
  const { by, role, words, place } = named;
  const wanted = toComparableText(words);
  const all = page.documents.flatMap(({ root }) => [...everyElement(root)].filter(hasNode));
  const pattern = by === 'label' ? null : compileTextPattern(words, 'selector');
  if (pattern !== null) return byPattern(all, by === 'text' ? null : role, pattern, page);
  if (by === 'text') return byText(all, wanted, page);
  if (named.isExactly === 'control') return controlsNamed(all, wanted, page);
  if (named.isExactly === 'field') return fieldsLabelled(all, wanted, page);
  if (by === 'label') {
    const labelled = byLabel(all, wanted, page);
    // If no field has this label, the words may be the role of a field, such as "textbox" for the only one in a
    // dialog.
    return labelled.length > 0 ? labelled : all.filter((one) => hasRole(one, wanted, page) && isInteractive(one, page));
  }
  const found = byRole(all, role, wanted, page);
  if (words !== '') return place === null ? found : placed(found, place);
  const places = new ElementPositions(page);
  const acting = all.filter((element) => hasRole(element, role, page) && isInteractive(element, page));
  const at = (element: AxElement) => places.of(element).join(' ');
  if (place !== null) return acting.filter((element) => at(element) === place);
  // In views, unnamed elements are numbered within their smallest common container, so `nth` refers to that number.
  const counted = acting.filter((element) => at(element).startsWith(`${toOrdinal(named.nth ?? 0)} of `));
  const [only] = counted;
  // Repeated `nth` times, so that the caller's choice by `nth` selects it.
  return counted.length > 1 || only === undefined ? acting : Array.from({ length: named.nth ?? 1 }, () => only);
}

function placed(found: readonly AxElement[], place: string): AxElement[] {
  const [, at = '0', of = '0'] = /^(\d+)\D+(\d+)/u.exec(place) ?? [];
  const element = found[Number(at) - 1];
  return element === undefined || found.length !== Number(of) ? [...found] : [element];
}

export function isNamedBy(element: AxElement, { words }: Locator, page: Page): boolean {
  const name = resolveShownName(element, page) || textWithin(element) || element.name;
  return toComparableText(name) === toComparableText(words);
}

function comparableName(element: AxElement, page: Page): string {
  return toComparableText(resolveShownName(element, page) || textWithin(element));
}

function hasNode({ backendNodeId, role }: AxElement): boolean {
  return backendNodeId !== null && role !== 'StaticText' && role !== 'RootWebArea';
}

/**
 * Elements of a role whose name in views matches. Of several, only interactive ones that do not merely contain other
 * controls, if there are any.
 */
function byRole(all: readonly AxElement[], role: string, wanted: string, page: Page): AxElement[] {
  const ofRole = all.filter((element) => hasRole(element, role, page));
  const named = ofRole.map((element) => ({ element, name: comparableName(element, page) }));
  const called = named.some(({ name }) => name === wanted) ? [] : ofRole.filter((one) => isKnownAs(one, wanted, page));
  const fitting = called.length > 0 ? called : exactOrContaining(named, wanted);
  const found = fitting.length > 0 ? fitting : ofRole.filter((one) => isDescribedBy(one, wanted));
  if (found.length < 2) return found;
  const shown = found.filter((element) => isInteractive(element, page) && !isOnlyAround(element, page));
  return shown.length === 0 ? found : shown;
}

/** True if the tooltip, icon name or text next to a check box equals the words. Preferred to names containing them. */
function isKnownAs(element: AxElement, wanted: string, page: Page): boolean {
  const hint = /^[^"]*"(.+)"$/u.exec(page.hintOf(element))?.[1] ?? '';
  return (
    wanted !== '' &&
    [element.description, hint, textNextToCheckable(element)].some((words) => toComparableText(words) === wanted)
  );
}

/** True if the tooltip contains the words. Used only when no name matches. */
function isDescribedBy({ description }: AxElement, wanted: string): boolean {
  return containsWholeWords(toComparableText(description), wanted);
}

/** True for a clickable element around other clickable elements. Views show it without a name. */
function isOnlyAround(element: AxElement, page: Page): boolean {
  if (element.name !== '' || FIELD_ROLES.has(element.role) || element.properties.has('editable')) return false;
  return containsControls(element, page);
}

/** The fields with this label, or else fields whose name contains the words, or else elements with this text. */
function byLabel(all: readonly AxElement[], wanted: string, page: Page): AxElement[] {
  const labelled = fieldsLabelled(all, wanted, page);
  if (labelled.length > 0) return labelled;
  const containing = exactOrContaining(fieldNames(all, page), bare(wanted));
  return containing.length > 0 ? containing : byText(all, wanted, page);
}

/** Fields whose accessible name, name in views, placeholder or adjacent text equals the words. */
function fieldsLabelled(all: readonly AxElement[], wanted: string, page: Page): AxElement[] {
  const named = fieldNames(all, page);
  const label = bare(wanted);
  const exact = named.filter(({ name }) => name === label).map(({ element }) => element);
  if (exact.length > 0) return exact;
  const hinted = named.map(({ element }) => element).filter((element) => bare(page.hintOf(element)) === label);
  if (hinted.length > 0) return hinted;
  const asking = named.map(({ element }) => element).filter((element) => bare(page.placeholderOf(element)) === label);
  if (label !== '' && asking.length > 0) return asking;
  const boxes = named
    .map(({ element }) => element)
    .filter((element) => label !== '' && bare(textNextToCheckable(element)) === label);
  return boxes.length > 0 ? boxes : besideWords(all, named, label, page);
}

type FieldNames = readonly { element: AxElement; name: string }[];

function fieldNames(all: readonly AxElement[], page: Page): FieldNames {
  return all
    .filter((element) => isField(element) && isInteractive(element, page))
    .map((element) => ({ element, name: bare(resolveShownName(element, page)) }));
}

/** Fields with this label or, if there are none, other interactive elements with exactly this name. */
function controlsNamed(all: readonly AxElement[], wanted: string, page: Page): AxElement[] {
  const fields = fieldsLabelled(all, wanted, page);
  if (fields.length > 0) return fields;
  const acting = all.filter((one) => isInteractive(one, page) && !acceptsOnlyDrops(one, page));
  return innermost(acting.filter((one) => comparableName(one, page) === wanted));
}

function isField({ role, properties }: AxElement): boolean {
  return FIELD_ROLES.has(role) || CHECKABLE_ROLES.has(role) || properties.has('editable');
}

/** Removes marks at the end of labels, such as `:` and `*`. */
function bare(words: string): string {
  return trimEndMatching(toComparableText(words), /[\s:*]/u);
}

/**
 * Fields labelled only by adjacent text: each is the only field in the smallest container that also has the words, such
 * as a form row. Words of an interactive element label only a field without a name.
 */
function besideWords(all: readonly AxElement[], named: FieldNames, label: string, page: Page): AxElement[] {
  const fields = new Map(named.map(({ element, name }) => [element, name]));
  const holding = all.filter(
    (element) =>
      !fields.has(element) &&
      element.children.some(({ role }) => role === 'StaticText') &&
      bare(textWithin(element)) === label,
  );
  const found = new Set<AxElement>();
  for (const words of innermost(holding)) {
    for (let at = words.parent, steps = 0; at !== null && steps < BESIDE_STEPS_MAX; at = at.parent, steps += 1) {
      const inside = [...everyElement(at)].filter((element) => fields.has(element));
      const [only] = inside;
      const isNamed = only !== undefined && fields.get(only) !== '';
      if (inside.length === 1 && only !== undefined && !(isNamed && isInteractive(words, page))) found.add(only);
      if (inside.length > 0) break;
    }
  }
  return [...found];
}

/** Maximum levels climbed from the text of a label to the container of its field. */
const BESIDE_STEPS_MAX = 4;

/** Elements that match a text: interactive elements with the text first, and inner elements before outer ones. */
function byText(elements: readonly AxElement[], wanted: string, page: Page): AxElement[] {
  const acting = elements.filter((element) => isInteractive(element, page) && !acceptsOnlyDrops(element, page));
  const named = acting.map((element) => ({ element, name: comparableName(element, page) }));
  const holding = elements
    .filter(({ children }) => children.some(({ role }) => role === 'StaticText'))
    .map((element) => ({ element, name: toComparableText(textWithin(element)) }));
  // A text that equals the words precedes a control that only contains them: "File" is not the tab "Files".
  const sets = [named, holding];
  const of =
    sets.find((set) => set.some(({ name }) => name === wanted)) ??
    sets.find((set) => set.some(({ element, name }) => isNamedWith(element, name, wanted)));
  const all = exactOrContaining(of ?? holding, wanted);
  const found = innermost(all);
  if (found.length === 0) return innermost(acting.filter((one) => isDescribedBy(one, wanted)));
  if ([...named, ...holding].some(({ element, name }) => name === wanted && found.includes(element))) return found;
  // Returns the texts themselves, because the centre of the container may be outside them.
  return found.flatMap((part) => {
    const inside = holding.filter(({ element, name }) => name === wanted && isDescendantOf(element, part));
    return inside.length === 0 ? textsIn(part, wanted) : inside.map(({ element }) => element);
  });
}

function byPattern(all: readonly AxElement[], role: string | null, pattern: TextPattern, page: Page): AxElement[] {
  const acting = all.filter((one) => isInteractive(one, page) && !acceptsOnlyDrops(one, page));
  const isMatching = (one: AxElement) => pattern(resolveShownName(one, page) || textWithin(one)) !== null;
  if (role !== null) {
    const ofRole = all.filter((one) => hasRole(one, role, page) && isMatching(one));
    const shown = ofRole.filter((one) => isInteractive(one, page) && !isOnlyAround(one, page));
    return shown.length === 0 ? ofRole : shown;
  }
  const found = acting.filter(isMatching);
  if (found.length > 0) return innermost(found);
  const holding = all.filter(({ children }) => children.some(({ role: of }) => of === 'StaticText'));
  const parts = innermost(holding.filter((one) => pattern(textWithin(one)) !== null));
  const matching = (part: AxElement) =>
    [...everyElement(part)].filter((one) => isText(one) && pattern(one.name) !== null);
  // An expression with anchors may match a text node but no element as a whole.
  if (parts.length === 0) return [...new Set(holding.flatMap(matching))];
  return parts.flatMap((part) => {
    const texts = matching(part);
    return texts.length === 0 ? [part] : texts;
  });
}

function isText({ role, backendNodeId, ignored }: AxElement): boolean {
  return role === 'StaticText' && backendNodeId !== null && !ignored;
}

/** The matching text nodes of an element, or the element itself if it is one control or the words span several. */
function textsIn(part: AxElement, wanted: string): AxElement[] {
  if (CONTROLS.has(part.role) || part.properties.get('editable') === 'plaintext') return [part];
  const texts = [...everyElement(part)]
    .filter(isText)
    .map((element) => ({ element, name: toComparableText(element.name) }));
  const found = exactOrContaining(texts, wanted);
  return found.length === 0 ? [part] : found;
}

/**
 * Roles of elements that react in the same way wherever they are clicked. Fields are excluded, because a click in a
 * field also sets the caret.
 */
const CONTROLS: ReadonlySet<string> = new Set([...CONTROL_ROLES].filter((role) => !FIELD_ROLES.has(role)));

/** The matches that contain no other match. A clickable cell and the link that fills it are one target. */
function innermost(found: readonly AxElement[]): AxElement[] {
  const around = new Set<AxElement>();
  for (const element of found) {
    for (let at = element.parent; at !== null && !around.has(at); at = at.parent) around.add(at);
  }
  return found.filter((element) => !around.has(element));
}

function exactOrContaining(named: readonly { element: AxElement; name: string }[], wanted: string): AxElement[] {
  const exact = named.filter(({ name }) => name === wanted);
  const found = exact.length > 0 ? exact : named.filter(({ element, name }) => isNamedWith(element, name, wanted));
  return (found.length > 0 ? found : named.filter(({ name }) => isCutName(wanted, name))).map(({ element }) => element);
}
