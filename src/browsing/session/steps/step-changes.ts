import { resolveWithin } from '#core/flow/abort.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { SECOND_MS } from '#core/limits.ts';
import { oneLine } from '#core/text/text.ts';
import type { ActionResult } from '#browsing/session/operations/acting.ts';
import type { OperationWork } from '#browsing/session/operations/perform.ts';
import type { ElementRefs } from '#browsing/refs/refs.ts';
import { callIn, isGoneError, nullIfGone } from '#browsing/tabs/call-in-page.ts';
import * as pageScripts from '#generated/page-scripts.js';
import { addLinesBehindDialog, comparePageScans } from '#browsing/view/changes/compare-looks.ts';
import type { ViewChange } from '#browsing/view/changes/compare-looks.ts';
import { writeViewChanges } from '#browsing/view/changes/write-changes.ts';
import { writeWithoutRefs } from '#browsing/view/view-line.ts';
import { scanPage } from '#browsing/view/view.ts';
import type { PageScan } from '#browsing/view/view.ts';
import type { Page } from '#browsing/view/page/page.ts';
import type { Announced } from './announced.ts';

/** The visible effect of a step: the first words of what changed. */
export type ChangeBetween = { step: number; words: string };

/** Maximum time of one view in between, and of all. Steps on a slow page are not held up by more than this. */
const SCAN_MS_MAX = 1 * SECOND_MS;
const SCANS_MS_MAX = 4 * SECOND_MS;
/** Maximum characters for one step, and for all steps. */
const STEP_CHARS_MAX = 120;
const STEPS_CHARS_MAX = 600;
const STEP_ROOM = { maxChars: STEP_CHARS_MAX, wholeCharsMax: STEP_CHARS_MAX, viewCharsMax: STEP_CHARS_MAX };
const NOTHING_KNOWN = { own: new Set<string>(), at: null, still: new Set<string>() };

/**
 * Views the page between the steps of a list, so that the answer can name effects that are gone at the end. These views
 * use a copy of the session's refs: no step may find its ref changed by them.
 */
export class StepChanges {
  readonly #work: OperationWork;
  readonly #refs: ElementRefs;
  readonly #noted: { step: number; lines: string[] }[] = [];
  #before: PageScan | null;
  #leftMs = SCANS_MS_MAX;
  /** The step whose effect the next view shows; `null` if no step since the last view has one. */
  #pending: number | null = null;
  /** The page of the last view, and the number of its changes before it was read. */
  #read: { page: Page; count: number } | null = null;

  constructor(work: OperationWork, before: PageScan | null) {
    this.#work = work;
    this.#refs = work.active.refs.copy();
    this.#before = before;
  }

  /**
   * Notes the effect of a step before another step acts.
   * @param hasEffect false for a step such as `wait`, after which the effect of the step before it is noted
   * @param isChecked true if the next step waits for the effect
   */
  async note(step: number, hasEffect: boolean, isChecked: boolean): Promise<void> {
    this.#read = null;
    if (hasEffect) this.#pending = step;
    if (this.#pending === null || this.#before === null || isChecked || this.#leftMs <= 0) return;
    const begun = Date.now();
    const before = this.#before;
    this.#before = await this.#scan(before);
    this.#leftMs -= Date.now() - begun;
    if (this.#before !== null) this.#noted.push({ step: this.#pending, lines: changedLines(before, this.#before) });
    this.#pending = null;
  }

  /**
   * The page as the last view has read it, for the next step to find its element in; `null` if the page has changed since.
   * Changes in frames and shadow roots are not counted, so a page with either is read again.
   */
  async takePage(): Promise<Page | null> {
    const read = this.#read;
    this.#read = null;
    if (read === null || this.#work.tab.frames().length > 1) return null;
    const count = await this.#countChanges();
    return count !== null && count === read.count ? read.page : null;
  }

  #countChanges(): Promise<number | null> {
    const { tab, signal } = this.#work;
    return callIn(tab, tab.main(), pageScripts.countChanges, [], signal).catch(nullIfGone);
  }

  /** The noted effects that neither the changes at the end nor a message shows, each once, within a few hundred characters. */
  notIn({ changes, snapshot }: Pick<ActionResult<object>, 'changes' | 'snapshot'>, announced: readonly Announced[]) {
    const shown = plain(
      [...(changes?.lines ?? []), snapshot?.text ?? '', ...announced.map(({ words }) => words)].join('\n'),
    );
    const isShown = (line: string) => shown.includes(plain(line.slice(2).replace(/…$/u, '')));
    const said = announced.map(({ words }) => plain(words));
    const told = new Set<string>();
    let left = STEPS_CHARS_MAX;
    return this.#noted.flatMap(({ step, lines }): ChangeBetween[] => {
      const isShownAtEnd = lines.some((line) => !line.startsWith('-') && isShown(line));
      const news = lines.filter((line) => !isShown(line) && !said.some((words) => plain(line).includes(words)));
      const came = news.filter((line) => !line.startsWith('-'));
      const words = oneLine((came.length > 0 || isShownAtEnd ? came : news).join(' '), STEP_CHARS_MAX);
      if (words === '' || told.has(words)) return [];
      told.add(words);
      left -= words.length;
      return left < 0 ? [] : [{ step, words }];
    });
  }

  async #scan(before: PageScan): Promise<PageScan | null> {
    const { tab, signal } = this.#work;
    try {
      let page: Page | null = null;
      const counted = this.#countChanges();
      const onRead = (read: Page) => (page = read);
      const scan = scanPage(tab, this.#refs, null, { onRead }, signal, before.part?.from ?? null);
      const seen = await resolveWithin(scan, Math.min(SCAN_MS_MAX, this.#leftMs), signal);
      const count = await counted;
      if (page !== null && count !== null) this.#read = { page, count };
      return seen === null ? null : addLinesBehindDialog(before, seen);
    } catch (error) {
      if (signal.aborted || (!(error instanceof PeriscopeError) && !isGoneError(error))) throw error;
      return null;
    }
  }
}

function changedLines(before: PageScan, now: PageScan): string[] {
  const comparison = comparePageScans(before, now, NOTHING_KNOWN);
  if (comparison !== null) {
    if (comparison.isOnlyFocus) return [];
    const told = comparison.told.map(withoutRefs);
    return writeViewChanges({ ...comparison, told, dialog: null }, STEP_ROOM, new Set()).changes.lines;
  }
  const first = now.lines.find(({ kind }) => kind === 'heading') ?? now.lines[0];
  return before.loaderId === now.loaderId || first === undefined ? [] : [`= ${writeWithoutRefs(first)}`];
}

function withoutRefs(change: ViewChange): ViewChange {
  if (change.sign === '-') return change;
  const parts = change.line.parts.map((part) => {
    if (typeof part === 'string') return part;
    return { ...part, ref: null, states: part.states.filter((state) => state !== 'focused') };
  });
  return { ...change, line: { ...change.line, parts } };
}

function plain(text: string): string {
  return text
    .replaceAll(/@e\d+ ?| focused\b/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}
