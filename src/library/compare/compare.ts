import type { WorkSteps } from '#core/flow/turns.ts';
import { diffWords } from '#core/text/word-diff.ts';
import type { DiffPart, DiffBudget } from '#core/text/word-diff.ts';
import { divideMainPartIntoBlocks, divideRestIntoBlocks } from './blocks.ts';
import type { DocumentBlock, DocumentLines } from './blocks.ts';
import { findHeaderBlocks, isUnreportedChange, VaryingPatterns, varyingPattern } from './noise.ts';
import { PAIRING_WORD_LOOKUPS_MAX, pairBlocks, alignBlocks } from './pair-up.ts';
import type { PairingBudget } from './pair-up.ts';

export type { DocumentLines } from './blocks.ts';

/** Line numbers from 0; `last` is included. */
export type LineSpan = { first: number; last: number };

/** A block that was removed, added, changed or moved. The texts are page text, so untrusted. */
export type BlockChange = {
  kind: 'removed' | 'added' | 'changed' | 'moved';
  before: LineSpan | null;
  after: LineSpan | null;
  /** Text of the heading above the block, or of the block if it is a heading. */
  section: string | null;
  /** Header of the table, for a row. */
  head: string | null;
  /** Visible text, in equal, removed and added parts. */
  words: DiffPart[];
};

/** Maximum word pairs compared in two documents, about 200 ms. Further blocks are reported without word differences. */
const WORD_CELLS_MAX = 24_000_000;
/** Minimum words of a moved text for it to be reported. A shorter text may occur in many places by chance. */
const TELLING_WORDS_MIN = 5;

/**
 * Yields the visible changes of the main part, in document order. Ignores URLs of links, languages of code, build
 * dates, copyright years, counters, the order of links, and texts that vary with every fetch.
 * @param varying the result of `findVaryingTexts`
 */
export function* compareDocuments(
  before: DocumentLines,
  after: DocumentLines,
  varying: readonly string[] = [],
): WorkSteps<BlockChange[]> {
  const old = yield* divideMainPartIntoBlocks(before);
  const now = yield* divideMainPartIntoBlocks(after);
  const pairs = alignBlocks(old, now);
  yield ALIGNING_COST;
  const goneElsewhere = moved(old, now, pairs);
  const headers = findHeaderBlocks(now);
  const known = new VaryingPatterns(varying);
  const told: Told[] = [];
  const work = newWork();
  for (const { gone, come, at } of gapsOf(old, now, pairs, goneElsewhere)) {
    const same = yield* sameInAnotherForm(gone, come);
    const isOther = (block: DocumentBlock) => !same.has(block);
    for (const [one, other] of yield* pairBlocks(gone.filter(isOther), come.filter(isOther), work)) {
      yield known.cost(one, other);
      if (!isUnreportedChange(one, other, headers) && !known.takes(one, other)) told.push({ at, one, other });
    }
  }
  const restBefore = yield* divideRestIntoBlocks(before);
  const restAfter = yield* divideRestIntoBlocks(after);
  const stays = onlySideChanged(told, [...old, ...restBefore], [...now, ...restAfter]);
  const changes: Ordered[] = told
    .filter((one) => !stays.has(one))
    .map((one) => ({ at: one.at, one: one.one, other: one.other }));
  for (const run of goneElsewhere.runs) changes.push({ at: run.now[0]?.first ?? 0, run });
  const all: BlockChange[] = [];
  for (const change of changes.toSorted((a, b) => a.at - b.at))
    all.push('run' in change ? movedChange(change.run) : yield* changeOf(change, work));
  return all;
}

/** Fixed cost of an alignment, in characters of text that could be read in the same time. */
const ALIGNING_COST = 200_000;

function newWork(): PairingBudget & DiffBudget {
  return { words: PAIRING_WORD_LOOKUPS_MAX, cells: WORD_CELLS_MAX };
}

/**
 * Finds texts that vary with every fetch, such as a random tip, by comparing two fetches made shortly after each other.
 */
export function* findVaryingTexts(one: DocumentLines, again: DocumentLines): WorkSteps<string[]> {
  const old = yield* divideMainPartIntoBlocks(one);
  const now = yield* divideMainPartIntoBlocks(again);
  const pairs = alignBlocks(old, now);
  yield ALIGNING_COST;
  const varying: string[] = [];
  const work = newWork();
  for (const { gone, come } of gapsOf(old, now, pairs, NOT_MOVED)) {
    for (const [first, second] of yield* pairBlocks(gone, come, work))
      if (!isUnreportedChange(first, second, NO_HEADERS)) varying.push(yield* varyingPattern(first, second, work));
  }
  return varying;
}

type Told = { at: number; one: DocumentBlock | null; other: DocumentBlock | null };
type Ordered = Told | { at: number; run: Run };
type Run = { old: DocumentBlock[]; now: DocumentBlock[] };
type Moved = { old: ReadonlySet<DocumentBlock>; now: ReadonlySet<DocumentBlock>; runs: readonly Run[] };

const NO_HEADERS: ReadonlySet<DocumentBlock> = new Set();
const NOT_MOVED: Moved = { old: new Set(), now: new Set(), runs: [] };

/** Yields the changed blocks between two unchanged blocks. `at`: line of the new document at which to report them. */
function* gapsOf(
  old: readonly DocumentBlock[],
  now: readonly DocumentBlock[],
  pairs: Int32Array,
  elsewhere: Moved,
): Generator<{ gone: DocumentBlock[]; come: DocumentBlock[]; at: number }> {
  let from = 0;
  let come: DocumentBlock[] = [];
  for (let index = 0; index <= now.length; index += 1) {
    const to = index === now.length ? old.length : (pairs[index] ?? -1);
    const block = now[index];
    if (to < 0) {
      if (block !== undefined && !elsewhere.now.has(block)) come.push(block);
      continue;
    }
    const gone = old.slice(from, to).filter((one) => !elsewhere.old.has(one));
    if (gone.length + come.length > 0) yield { gone, come, at: come[0]?.first ?? block?.first ?? Infinity };
    from = to + 1;
    come = [];
  }
}

/**
 * Finds equal blocks at another position, and joins neighbours that moved together. Moved links do not count as
 * changes.
 */
function moved(old: readonly DocumentBlock[], now: readonly DocumentBlock[], pairs: Int32Array): Moved {
  const stayed = new Set(pairs);
  const gone = old.flatMap(({ key }, at) => (stayed.has(at) ? [] : [{ key, at }]));
  const lost = Map.groupBy(gone, ({ key }) => key);
  for (const places of lost.values()) places.reverse();
  const runs: { run: Run; nextOld: number; nextNow: number }[] = [];
  for (const [at, block] of now.entries()) {
    if ((pairs[at] ?? -1) >= 0) continue;
    const from = lost.get(block.key)?.pop()?.at;
    const source = from === undefined ? undefined : old[from];
    if (from === undefined || source === undefined) continue;
    const last = runs.at(-1);
    if (last !== undefined && last.nextOld === from && last.nextNow === at) {
      last.run.old.push(source);
      last.run.now.push(block);
      last.nextOld += 1;
      last.nextNow += 1;
    } else runs.push({ run: { old: [source], now: [block] }, nextOld: from + 1, nextNow: at + 1 });
  }
  const real = runs
    .map(({ run }) => run)
    .filter(({ now: blocks }) => blocks.some((block) => block.isLinks || isTelling(block)));
  return {
    old: new Set(real.flatMap((run) => run.old)),
    now: new Set(real.flatMap((run) => run.now)),
    runs: real.filter((run) => !run.now.every(({ isLinks }) => isLinks)),
  };
}

/** Finds blocks whose text stayed but whose form changed, such as a paragraph that became code. */
function* sameInAnotherForm(
  gone: readonly DocumentBlock[],
  come: readonly DocumentBlock[],
): WorkSteps<ReadonlySet<DocumentBlock>> {
  const same = new Set<DocumentBlock>();
  const kinds = new Set([...gone, ...come].map(({ kind }) => kind));
  if (gone.length === 0 || come.length === 0 || kinds.size < 2) return same;
  yield gone.reduce((sum, { text }) => sum + text.length, 0);
  const lost = Map.groupBy(gone.toReversed(), plainOf);
  for (const block of come) {
    yield block.text.length;
    const other = lost.get(plainOf(block))?.pop();
    if (other === undefined || other.kind === block.kind) continue;
    same.add(block);
    same.add(other);
  }
  return same;
}

function plainOf({ text }: DocumentBlock): string {
  return text.replace(/\s+/g, ' ');
}

function isTelling({ text }: DocumentBlock): boolean {
  return (
    text.split(' ', TELLING_WORDS_MIN).length === TELLING_WORDS_MIN ||
    /[\p{scx=Han}\p{scx=Kana}\p{scx=Thai}]{8}/v.test(text)
  );
}

/**
 * Finds changes whose text occurs equally often in both whole pages: such a text only moved between the main part and
 * the rest (menus, comments), because each fetch separates the two anew. It is not reported.
 */
function onlySideChanged(
  told: readonly Told[],
  before: readonly DocumentBlock[],
  after: readonly DocumentBlock[],
): Set<Told> {
  const surplus = new Map<string, number>();
  for (const { key } of after) surplus.set(key, (surplus.get(key) ?? 0) + 1);
  for (const { key } of before) surplus.set(key, (surplus.get(key) ?? 0) - 1);
  /** True if the block occurs equally often in both. @param side 1 for an added block, -1 for a removed one */
  const isEven = (block: DocumentBlock | null, side: number) => {
    const left = block === null ? 0 : (surplus.get(block.key) ?? 0);
    if (block === null || left * side <= 0) return true;
    surplus.set(block.key, left - side);
    return false;
  };
  return new Set(told.filter(({ one, other }) => [isEven(one, -1), isEven(other, 1)].every(Boolean)));
}

function* changeOf({ one, other }: Told, work: DiffBudget): WorkSteps<BlockChange> {
  const { section = null, head = null } = other ?? one ?? {};
  const spans = { before: spanOf(one), after: spanOf(other), section, head };
  if (one === null) return { kind: 'added', ...spans, words: [{ kind: 'new', text: other?.text ?? '' }] };
  if (other === null) return { kind: 'removed', ...spans, words: [{ kind: 'gone', text: one.text }] };
  const words = yield* diffWords(one.text, other.text, { work });
  const isTold = words.some(({ kind }) => kind !== 'same');
  const replaced: DiffPart[] = [
    { kind: 'gone', text: one.text },
    { kind: 'new', text: other.text },
  ];
  return { kind: 'changed', ...spans, words: isTold ? words : replaced };
}

function movedChange({ old, now }: Run): BlockChange {
  const words: DiffPart[] = [{ kind: 'same', text: now.map(({ text }) => text).join('\n') }];
  const before = { first: old[0]?.first ?? 0, last: old.at(-1)?.last ?? 0 };
  const after = { first: now[0]?.first ?? 0, last: now.at(-1)?.last ?? 0 };
  return { kind: 'moved', before, after, section: now[0]?.section ?? null, head: now[0]?.head ?? null, words };
}

function spanOf(block: DocumentBlock | null): LineSpan | null {
  return block === null ? null : { first: block.first, last: block.last };
}
