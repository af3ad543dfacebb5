import { PeriscopeError } from '#core/failures/failure.ts';
import { sleep } from '#core/flow/abort.ts';
import { PAGE_QUOTE_CHARS_MAX, SECOND_MS } from '#core/limits.ts';
import { oneLine } from '#core/text/text.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { callOn } from '#browsing/tabs/call-in-page.ts';
import type { PageElement } from '#browsing/tabs/tab.ts';
import type { ElementRefs } from '#browsing/refs/refs.ts';
import { elementOfNode, everyElement } from '#browsing/tree/ax-tree.ts';
import type { AxElement } from '#browsing/tree/ax-tree.ts';
import { stateWords } from '#browsing/view/line/element-line.ts';
import { readTabPage } from '#browsing/view/page/page.ts';
import type { Page } from '#browsing/view/page/page.ts';
import { toComparableText } from '#browsing/view/words.ts';
import { compileTextPattern } from './pattern.ts';
import { resolveTarget } from './resolve.ts';
import type { ResolveContext } from './resolve.ts';
import { waitFor } from './wait-for.ts';
import type { WaitCondition } from './wait-for.ts';

/**
 * Maximum wait for an expectation to be met, to cover late effects of the previous step, such as a message that fades
 * in.
 */
const EXPECT_MS_MAX = 3 * SECOND_MS;
const EXPECT_AGAIN_MS = 300;

/** The property that an element is expected to have: its text, its field value, or a state as named in views. */
type Asked = { of: 'words' | 'value' | 'state'; is: string; isNot: boolean };

/** Expects an element or text to be present or gone, or an element to have a property. */
export type StepExpectation = { wanted: WaitCondition } | { target: string; asked: Asked };

/** `words`: the page's text that does not meet the expectation. */
type Unmet = { problem: string; words: string };

/**
 * Checks one expectation repeatedly, for a few seconds.
 * @returns `null` if it is met, `in field` if the expected text is only the value of a field; otherwise the problem
 * @throws {PeriscopeError} from `resolveTarget`, for an element that cannot be found
 */
export async function waitForExpectation(
  expectation: StepExpectation,
  tabs: ResolveContext,
  refs: ElementRefs,
  signal: AbortSignal,
): Promise<Unmet | 'in field' | null> {
  if ('wanted' in expectation) return expectThere(expectation.wanted, tabs, refs, signal);
  const { target, asked } = expectation;
  const end = Date.now() + EXPECT_MS_MAX;
  for (;;) {
    const isLast = Date.now() + EXPECT_AGAIN_MS >= end;
    const unmet = await ask(target, asked, tabs, refs, signal).catch((error: unknown) => {
      if (isLast || !mayCome(error)) throw error;
      return NOT_YET;
    });
    if (unmet === null || isLast) return unmet;
    await sleep(EXPECT_AGAIN_MS, signal);
  }
}

const NOT_YET: Unmet = { problem: 'it is not there', words: '' };

function mayCome(error: unknown): boolean {
  return error instanceof PeriscopeError && error.failure.code === 'element_not_found';
}

async function expectThere(
  wanted: WaitCondition,
  tabs: ResolveContext,
  refs: ElementRefs,
  signal: AbortSignal,
): Promise<Unmet | 'in field' | null> {
  const isText = wanted.kind === 'text' && !wanted.isGone;
  let unmet: Unmet | null = null;
  for (const waitMs of isText ? [FIRST_LOOK_MS, EXPECT_MS_MAX] : [EXPECT_MS_MAX]) {
    unmet = await waitForMs(wanted, waitMs, tabs, refs, signal);
    if (unmet === null) return null;
    if (isText && (await isInField(wanted.value, tabs, signal))) return 'in field';
  }
  return unmet;
}

/** Enough for one look at the page. */
const FIRST_LOOK_MS = 1;

async function waitForMs(
  wanted: WaitCondition,
  waitMs: number,
  tabs: ResolveContext,
  refs: ElementRefs,
  signal: AbortSignal,
): Promise<Unmet | null> {
  try {
    // The view in this error is never sent to the caller, so it must not be recorded as sent.
    await waitFor(wanted, { ...tabs, isNewInError: () => true }, refs, waitMs, signal);
    return null;
  } catch (error) {
    const failure = error instanceof PeriscopeError ? error.failure : null;
    if (failure?.code !== 'timeout' || failure.instead === undefined) throw error;
    return { problem: failure.instead.problem, words: '' };
  }
}

/** True if a field that is not secret has the text as its value or a part of it, which is no text of the page. */
async function isInField(text: string, { tab }: ResolveContext, signal: AbortSignal): Promise<boolean> {
  const page = await readTabPage(tab, null, signal);
  const pattern = compileTextPattern(text, 'steps');
  const wanted = toComparableText(text);
  const has = (value: string) =>
    pattern === null ? toComparableText(value).includes(wanted) : pattern(value) !== null;
  return page.documents.some(({ root }) =>
    [...everyElement(root)].some((one) => one.value !== '' && !one.ignored && !page.isSecret(one) && has(one.value)),
  );
}

async function ask(
  target: string,
  { of, is, isNot }: Asked,
  tabs: ResolveContext,
  refs: ElementRefs,
  signal: AbortSignal,
): Promise<Unmet | null> {
  const found = await resolveTarget(target, tabs, refs, signal, 'field');
  const { tab, frame, backendNodeId } = found;
  const page = await readTabPage(tab, { frameId: frame.id, from: null, within: backendNodeId }, signal);
  const root = page.documents.find((document) => document.frame.id === frame.id)?.root;
  const element = root === undefined ? null : elementOfNode(root, backendNodeId);
  if (element === null) return NOT_YET;
  const words = wordsIn(element, page);
  const states = stateWords(element, page);
  if (of === 'state') {
    if (states.includes(is) !== isNot) return null;
    return { problem: isNot ? `it is ${is}` : `it is not ${is}`, words: states.join(' ') };
  }
  if (of === 'value' && page.isSecret(element))
    return { problem: 'its value is not shown, because it may be a secret', words: '' };
  const held = of === 'value' ? await valueOf(element, found, signal) : words;
  const pattern = of === 'words' ? compileTextPattern(is, 'steps') : null;
  const hasWords = pattern === null ? toComparableText(held).includes(toComparableText(is)) : pattern(held) !== null;
  const isSo = of === 'value' ? held.trim() === is.trim() : hasWords;
  if (isSo !== isNot) return null;
  const has = of === 'value' ? 'it holds' : 'it has';
  return { problem: isNot ? `${has} just that` : `${has} something else`, words: oneLine(held, PAGE_QUOTE_CHARS_MAX) };
}

/**
 * Reads the value of an element. For an editor that draws itself, reads it from the editor, because the accessibility
 * tree does not have it.
 */
async function valueOf({ value, properties }: AxElement, element: PageElement, signal: AbortSignal): Promise<string> {
  if (value !== '' || !properties.has('editable')) return value;
  return (await callOn(element, pageScripts.describeField, [], signal)).value;
}

/** All text of an element: visible texts, names of elements without content, and field values that are not secret. */
function wordsIn(element: AxElement, page: Page): string {
  const words: string[] = [];
  for (const one of everyElement(element)) {
    if (one.ignored || page.isUnseen(one)) continue;
    if (one.role === 'StaticText' || one.children.length === 0) words.push(one.name.trim());
    if (one.value !== '' && !page.isSecret(one)) words.push(one.value);
  }
  return words.filter((word) => word !== '').join(' ');
}
