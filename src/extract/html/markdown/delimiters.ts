/**
 * A mark of bold (`**`), italic (`*`) or struck-out text (`~~`) to write. Whether Markdown recognizes a mark depends on
 * the characters around it (CommonMark §6.2). Instead of handling each case, this module parses its own output like a
 * Markdown reader. A mark that would be misread is written in another form or omitted.
 */
export type EmphasisDelimiter = { kind: 'strong' | 'em' | 'del'; side: 'open' | 'close'; mark: object };
export type InlinePiece = string | EmphasisDelimiter;

type Sign = '*' | '_' | '~';
type Style = { sign: Sign; length: number };
type Run = {
  sign: Sign;
  length: number;
  left: number;
  canOpen: boolean;
  canClose: boolean;
  /** Marks that open and close in this run of signs. The outermost is first in `opens` and last in `closes`. */
  opens: EmphasisDelimiter[];
  closes: EmphasisDelimiter[];
};

const STYLES: Readonly<Record<EmphasisDelimiter['kind'], Style>> = {
  strong: { sign: '*', length: 2 },
  em: { sign: '*', length: 1 },
  del: { sign: '~', length: 2 },
};
const UNDERLINED: Style = { sign: '_', length: 1 };

const SPACE = /^\s/u;
const PUNCTUATION = /^[\p{P}\p{S}]/u;
const LAST = /[\s\S]$/u;
const PUNCTUATION_LAST = /[\p{P}\p{S}]$/u;
const WORD_FIRST = /^[\p{L}\p{N}]/u;
const WORD_LAST = /[\p{L}\p{N}]$/u;
/** Matches a `!` at the end that is not escaped: an even number of backslashes comes before it. */
const EXCLAMATION_LAST = /(?<!\\)(?:\\\\)*!$/;

const OUTSIDE = /[ \n]/;
const INSIDE = /[!-~]/;
const WORD = /[A-Za-z0-9]/;
const STOP = /[.,;:)]/;

/** Joins the pieces, with all marks that Markdown readers recognize. Linear: parses the text at most ten times. */
export function writeDelimiters(given: readonly InlinePiece[]): string {
  const [first] = given;
  if (given.length === 1 && typeof first === 'string') return first;
  const styles = new Map<object, Style | null>();
  for (const piece of given) if (typeof piece !== 'string') styles.set(piece.mark, STYLES[piece.kind]);
  if (styles.size === 0) return joined(given.filter((piece) => typeof piece === 'string'));
  if (areApart(given)) return withSigns(given, styles);
  let pieces = given;
  let lost = unreadable(pieces, styles);
  if (pieces.some((piece) => isStrike(piece) && lost.has(piece.mark))) {
    pieces = withSpacesAround(lost, pieces);
    lost = unreadable(pieces, styles);
  }
  if (lost.size > 0) {
    // Italics next to another mark are written with `_`, because `*` would form one run with it, such as `***`.
    for (const mark of touching(pieces)) styles.set(mark, UNDERLINED);
    for (const mark of unreadable(pieces, styles))
      if (styles.get(mark) !== UNDERLINED || lost.has(mark)) styles.set(mark, null);
    for (const mark of unreadable(pieces, styles)) styles.set(mark, null);
    if (unreadable(pieces, styles).size > 0) for (const mark of styles.keys()) styles.set(mark, null);
  }
  return withSigns(pieces, styles);
}

function withSigns(pieces: readonly InlinePiece[], styles: ReadonlyMap<object, Style | null>): string {
  return joined(pieces.map((piece) => (typeof piece === 'string' ? piece : signOf(piece, styles))));
}

/**
 * True if all marks are surely readable, because each pair stands alone, with space outside or a full stop behind, as in
 * most paragraphs. A much faster test than `unreadable`.
 */
function areApart(pieces: readonly InlinePiece[]): boolean {
  let open: object | null = null;
  let before = '\n';
  let isAfterMark = false;
  for (const piece of pieces) {
    if (piece === '') continue;
    if (typeof piece === 'string') {
      const first = piece.charAt(0);
      const isEnd = open === null && (OUTSIDE.test(first) || (STOP.test(first) && WORD.test(before)));
      if (isAfterMark && !isEnd && (open === null || !INSIDE.test(first))) return false;
      before = piece.charAt(piece.length - 1);
    } else if (isAfterMark || (piece.side === 'open' ? open !== null : open !== piece.mark)) return false;
    else if (!(piece.side === 'open' ? OUTSIDE : INSIDE).test(before)) return false;
    else open = piece.side === 'open' ? piece.mark : null;
    isAfterMark = typeof piece !== 'string';
  }
  return open === null;
}

/**
 * Writes a space between a word and struck-out text that would lose its marks, as in `~~50 %~~ 40 %`. Without the marks,
 * withdrawn text would look valid.
 */
function withSpacesAround(lost: ReadonlySet<object>, pieces: readonly InlinePiece[]): readonly InlinePiece[] {
  const out: InlinePiece[] = [];
  let before = '';
  /** Index in `out` at which a space is written if the next text needs one. */
  let opened: number | null = null;
  let isClosed = false;
  for (const piece of pieces) {
    if (isStrike(piece) && lost.has(piece.mark)) {
      if (piece.side === 'close') isClosed = PUNCTUATION_LAST.test(before);
      else if (WORD_LAST.test(before)) opened = out.push('') - 1;
    } else if (typeof piece === 'string' && piece !== '') {
      if (opened !== null && PUNCTUATION.test(piece)) out[opened] = ' ';
      if (isClosed && WORD_FIRST.test(piece)) out.push(' ');
      [opened, isClosed, before] = [null, false, piece.slice(-2)];
    }
    out.push(piece);
  }
  return out;
}

function isStrike(piece: InlinePiece): piece is EmphasisDelimiter {
  return typeof piece !== 'string' && piece.kind === 'del';
}

/**
 * Joins the pieces. If a mark was omitted, two pieces may touch that must not: a space separates two code spans, and a
 * `!` before a link is escaped, because `![` would make an image.
 */
function joined(parts: readonly string[]): string {
  const written = parts.filter((part) => part !== '');
  return written
    .map((part, at) => {
      const spaced = part.startsWith('`') && written[at - 1]?.endsWith('`') === true ? ` ${part}` : part;
      const makesImage = written[at + 1]?.startsWith('[') === true && EXCLAMATION_LAST.test(spaced);
      return makesImage ? `${spaced.slice(0, -1)}\\!` : spaced;
    })
    .join('');
}

function signOf({ mark }: EmphasisDelimiter, styles: ReadonlyMap<object, Style | null>): string {
  const style = styles.get(mark) ?? null;
  return style === null ? '' : style.sign.repeat(style.length);
}

function touching(pieces: readonly InlinePiece[]): object[] {
  return pieces.flatMap((piece, at) => {
    if (typeof piece === 'string' || piece.kind !== 'em') return [];
    return typeof pieces[at - 1] === 'object' || typeof pieces[at + 1] === 'object' ? [piece.mark] : [];
  });
}

/** Returns the marks that at least one Markdown reader would not pair as intended. */
function unreadable(pieces: readonly InlinePiece[], styles: ReadonlyMap<object, Style | null>): Set<object> {
  const wrong = READERS.map((size) => unreadableBy(size, pieces, styles));
  return new Set(wrong.flatMap((marks) => [...marks]));
}

/**
 * Returns the length of a run of marks that a Markdown reader compares with others. cmark compares the length as
 * written, and micromark the number of marks that are not paired yet.
 */
type Size = (run: Run) => number;
const READERS: readonly Size[] = [({ length }) => length, ({ left }) => left];

function unreadableBy(
  size: Size,
  pieces: readonly InlinePiece[],
  styles: ReadonlyMap<object, Style | null>,
): Set<object> {
  const runs = runsOf(pieces, styles);
  const found = new Set<object>();
  const wrong = new Set<object>();
  for (const signs of [['*', '_'], ['~']]) {
    for (const { opener, closer, length } of pairs(
      runs.filter(({ sign }) => signs.includes(sign)),
      size,
    )) {
      const meant = opener.opens.findLast(
        ({ mark }) =>
          !found.has(mark) && styles.get(mark)?.length === length && closer.closes.some((end) => end.mark === mark),
      );
      if (meant !== undefined) found.add(meant.mark);
      else for (const { mark } of [...opener.opens, ...closer.closes]) wrong.add(mark);
    }
  }
  for (const [mark, style] of styles) if (style !== null && !found.has(mark)) wrong.add(mark);
  for (const mark of wrong) if (styles.get(mark) === null) wrong.delete(mark);
  return wrong;
}

function runsOf(pieces: readonly InlinePiece[], styles: ReadonlyMap<object, Style | null>): Run[] {
  const runs: Run[] = [];
  let before = '\n';
  let open: Run[] = [];
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      if (piece === '') continue;
      settle(open, before, piece);
      open = [];
      before = LAST.exec(piece)?.[0] ?? before;
      continue;
    }
    const style = styles.get(piece.mark) ?? null;
    if (style === null) continue;
    let run = open.at(-1);
    if (run?.sign !== style.sign) {
      run = { sign: style.sign, length: 0, left: 0, canOpen: false, canClose: false, opens: [], closes: [] };
      open.push(run);
      runs.push(run);
    }
    run.length += style.length;
    run.left += style.length;
    (piece.side === 'open' ? run.opens : run.closes).push(piece);
  }
  settle(open, before, '\n');
  return runs;
}

/** Determines whether each run of marks can open or close emphasis (left- and right-flanking, CommonMark §6.2). */
function settle(runs: readonly Run[], before: string, after: string): void {
  for (const [at, run] of runs.entries()) {
    const previous = runs[at - 1]?.sign ?? before;
    const next = runs[at + 1]?.sign ?? after;
    const isAfterPunctuation = PUNCTUATION.test(previous);
    const isBeforePunctuation = PUNCTUATION.test(next);
    const isLeft = !SPACE.test(next) && (!isBeforePunctuation || SPACE.test(previous) || isAfterPunctuation);
    const isRight = !SPACE.test(previous) && (!isAfterPunctuation || SPACE.test(next) || isBeforePunctuation);
    run.canOpen = isLeft && (run.sign !== '_' || !isRight || isAfterPunctuation);
    run.canClose = isRight && (run.sign !== '_' || !isLeft || isBeforePunctuation);
  }
}

type Pair = { opener: Run; closer: Run; length: number };

/** Pairs opening and closing runs as a Markdown reader does ("process emphasis", appendix of CommonMark). */
function pairs(runs: readonly Run[], size: Size): Pair[] {
  const found: Pair[] = [];
  const openers: Run[] = [];
  // `openers_bottom` of CommonMark: lower bounds of the search for an opening run, so no failed search is repeated.
  const bottoms = new Map<string, number>();
  for (const closer of runs) {
    while (closer.canClose && closer.left > 0) {
      const kind = `${closer.sign}${String(closer.canOpen)}${size(closer) % 3}`;
      const bottom = bottoms.get(kind) ?? 0;
      let at = openers.length - 1;
      while (at >= bottom && !fits(openers[at], closer, size)) at -= 1;
      const opener = openers[at];
      if (at < bottom || opener === undefined) {
        bottoms.set(kind, openers.length);
        break;
      }
      const length = opener.left >= 2 && closer.left >= 2 ? 2 : 1;
      found.push({ opener, closer, length });
      opener.left -= length;
      closer.left -= length;
      openers.length = opener.left > 0 ? at + 1 : at;
      for (const [key, value] of bottoms) bottoms.set(key, Math.min(value, openers.length));
    }
    if (closer.canOpen && closer.left > 0) openers.push(closer);
  }
  return found;
}

function fits(opener: Run | undefined, closer: Run, size: Size): boolean {
  if (opener === undefined || opener.sign !== closer.sign) return false;
  if (closer.sign === '~') return opener.left === closer.left;
  if (!opener.canClose && !closer.canOpen) return true;
  return (size(opener) + size(closer)) % 3 !== 0 || (size(opener) % 3 === 0 && size(closer) % 3 === 0);
}
