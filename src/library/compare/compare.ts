import type { Steps } from '#core/flow/turns.ts';
import { wordDiff } from '#core/text/word-diff.ts';
import type { DiffPart, DiffWork } from '#core/text/word-diff.ts';
import { align } from './align.ts';
import { mainBlocks, restBlocks } from './blocks.ts';
import type { Block, DocumentLines } from './blocks.ts';
import { headersOf, isNoise, Varying, varyingOf } from './noise.ts';
import { LIKENESS_WORDS_MAX, pairUp } from './pair-up.ts';
import type { PairingWork } from './pair-up.ts';

export type { DocumentLines } from './blocks.ts';

/** 0-based, inclusive. */
export type LineSpan = { first: number; last: number };

/**
 * A block that went, came, says something else, or stands elsewhere. `section`: the text of the heading above. `words`: what a
 * reader sees of it. `section` and `words` are text of the page.
 */
export type Change = {
  kind: 'removed' | 'added' | 'changed' | 'moved';
  before: LineSpan | null;
  after: LineSpan | null;
  section: string | null;
  words: DiffPart[];
};

/** Pairs of words that are compared in two documents: some 200 ms. After that, blocks are reported as replaced. */
const WORD_CELLS_MAX = 24_000_000;
/** A shorter text stands in many places: that it is elsewhere, too, says nothing. */
const TELLING_WORDS_MIN = 5;

/**
 * What a reader finds changed in the main part, in the order of the document. Told of are words; neither addresses of links nor
 * the language of code. Left out are dates of the build, years of a copyright, counters, the order of links, and what varies
 * with every fetch.
 * @param varying of `varyingBlocks`
 */
export function* compareDocuments(
  before: DocumentLines,
  after: DocumentLines,
  varying: readonly string[] = [],
): Steps<Change[]> {
  const old = yield* mainBlocks(before);
  const now = yield* mainBlocks(after);
  const pairs = align(old, now);
  yield ALIGNING_COST;
  const goneElsewhere = moved(old, now, pairs);
  const headers = headersOf(now);
  const known = new Varying(varying);
  const told: Told[] = [];
  const work = newWork();
  for (const { gone, come, at } of gapsOf(old, now, pairs, goneElsewhere)) {
    const same = yield* sameInAnotherForm(gone, come);
    const isOther = (block: Block) => !same.has(block);
    for (const [one, other] of yield* pairUp(gone.filter(isOther), come.filter(isOther), work)) {
      yield known.cost(one, other);
      if (!isNoise(one, other, headers) && !known.takes(one, other)) told.push({ at, one, other });
    }
  }
  const restBefore = yield* restBlocks(before);
  const restAfter = yield* restBlocks(after);
  const stays = onlySideChanged(told, [...old, ...restBefore], [...now, ...restAfter]);
  const changes: Ordered[] = told
    .filter((one) => !stays.has(one))
    .map((one) => ({ at: one.at, one: one.one, other: one.other }));
  for (const run of goneElsewhere.runs) changes.push({ at: run.now[0]?.first ?? 0, run });
  const all: Change[] = [];
  for (const change of changes.toSorted((a, b) => a.at - b.at))
    all.push('run' in change ? movedChange(change.run) : yield* changeOf(change, work));
  return all;
}

/** In characters of text; what is bounded whatever the documents are. */
const ALIGNING_COST = 200_000;

function newWork(): PairingWork & DiffWork {
  return { words: LIKENESS_WORDS_MAX, cells: WORD_CELLS_MAX };
}

/** Of two fetches of one page, short after each other: what differs now will differ every time. */
export function* varyingBlocks(one: DocumentLines, again: DocumentLines): Steps<string[]> {
  const old = yield* mainBlocks(one);
  const now = yield* mainBlocks(again);
  const pairs = align(old, now);
  yield ALIGNING_COST;
  const varying: string[] = [];
  const work = newWork();
  for (const { gone, come } of gapsOf(old, now, pairs, NOT_MOVED)) {
    for (const [first, second] of yield* pairUp(gone, come, work))
      if (!isNoise(first, second, NO_HEADERS)) varying.push(yield* varyingOf(first, second, work));
  }
  return varying;
}

type Told = { at: number; one: Block | null; other: Block | null };
type Ordered = Told | { at: number; run: Run };
type Run = { old: Block[]; now: Block[] };
type Moved = { old: ReadonlySet<Block>; now: ReadonlySet<Block>; runs: readonly Run[] };

const NO_HEADERS: ReadonlySet<Block> = new Set();
const NOT_MOVED: Moved = { old: new Set(), now: new Set(), runs: [] };

/** What lies between two blocks that stayed. `at`: where it is told, a line of the document after. */
function* gapsOf(
  old: readonly Block[],
  now: readonly Block[],
  pairs: Int32Array,
  elsewhere: Moved,
): Generator<{ gone: Block[]; come: Block[]; at: number }> {
  let from = 0;
  let come: Block[] = [];
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

/** Blocks that are the same but stand elsewhere. Neighbours that moved together are one run; links alone have no order. */
function moved(old: readonly Block[], now: readonly Block[], pairs: Int32Array): Moved {
  const stayed = new Set(pairs);
  const lost = new Map<string, number[]>();
  for (const [at, { key }] of old.entries()) {
    if (stayed.has(at)) continue;
    const places = lost.get(key);
    if (places === undefined) lost.set(key, [at]);
    else places.push(at);
  }
  for (const places of lost.values()) places.reverse();
  const runs: { run: Run; nextOld: number; nextNow: number }[] = [];
  for (const [at, block] of now.entries()) {
    if ((pairs[at] ?? -1) >= 0) continue;
    const from = lost.get(block.key)?.pop();
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

/** What became code, a row or a paragraph at its place says what it did. */
function* sameInAnotherForm(gone: readonly Block[], come: readonly Block[]): Steps<ReadonlySet<Block>> {
  const same = new Set<Block>();
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

function plainOf({ text }: Block): string {
  return text.replace(/\s+/g, ' ');
}

function isTelling({ text }: Block): boolean {
  return (
    text.split(' ', TELLING_WORDS_MIN).length === TELLING_WORDS_MIN ||
    /[\p{scx=Han}\p{scx=Kana}\p{scx=Thai}]{8}/v.test(text)
  );
}

/**
 * What the whole page has no more and no less often: it only changed its side, because which part of a page is its main one is
 * judged anew at each fetch.
 */
function onlySideChanged(told: readonly Told[], before: readonly Block[], after: readonly Block[]): Set<Told> {
  const surplus = new Map<string, number>();
  for (const { key } of after) surplus.set(key, (surplus.get(key) ?? 0) + 1);
  for (const { key } of before) surplus.set(key, (surplus.get(key) ?? 0) - 1);
  /** @param side 1 for what came, -1 for what went */
  const isEven = (block: Block | null, side: number) => {
    const left = block === null ? 0 : (surplus.get(block.key) ?? 0);
    if (block === null || left * side <= 0) return true;
    surplus.set(block.key, left - side);
    return false;
  };
  return new Set(told.filter(({ one, other }) => [isEven(one, -1), isEven(other, 1)].every(Boolean)));
}

function* changeOf({ one, other }: Told, work: DiffWork): Steps<Change> {
  const spans = { before: spanOf(one), after: spanOf(other), section: (other ?? one)?.section ?? null };
  if (one === null) return { kind: 'added', ...spans, words: [{ kind: 'new', text: other?.text ?? '' }] };
  if (other === null) return { kind: 'removed', ...spans, words: [{ kind: 'gone', text: one.text }] };
  const words = yield* wordDiff(one.text, other.text, { work });
  const isTold = words.some(({ kind }) => kind !== 'same');
  const replaced: DiffPart[] = [
    { kind: 'gone', text: one.text },
    { kind: 'new', text: other.text },
  ];
  return { kind: 'changed', ...spans, words: isTold ? words : replaced };
}

function movedChange({ old, now }: Run): Change {
  const words: DiffPart[] = [{ kind: 'same', text: now.map(({ text }) => text).join('\n') }];
  const before = { first: old[0]?.first ?? 0, last: old.at(-1)?.last ?? 0 };
  const after = { first: now[0]?.first ?? 0, last: now.at(-1)?.last ?? 0 };
  return { kind: 'moved', before, after, section: now[0]?.section ?? null, words };
}

function spanOf(block: Block | null): LineSpan | null {
  return block === null ? null : { first: block.first, last: block.last };
}
