export type TextPiece = { text: string } | { tex: string; display: boolean };

const MAY_HOLD_TEX = /\$|\\[([b]/;
/** Delimiters of formulas in text, for MathJax and KaTeX. A formula ends at the first `close` after its `open`. */
const MARKS: readonly { open: string; close: string; display: boolean }[] = [
  { open: '$$', close: '$$', display: true },
  { open: '\\[', close: '\\]', display: true },
  { open: '\\(', close: '\\)', display: false },
];
/** Matches the start of a TeX environment that is a formula even without delimiters around it. */
const BEGIN =
  /\\begin\{((?:align(?:ed|at)?|equation|eqnarray|gather(?:ed)?|multline|split|cases|[bpvBV]?matrix|array|CD)\*?)\}/y;
const FORMULA_CHARS_MAX = 5_000;
/** Matches text that looks like TeX: a command, a script or a sign such as `=`. Ordinary prose rarely has one. */
const LIKE_TEX = /\\[A-Za-z]+|[_^]|[=<>+/]|^\s*[A-Za-z]\s*$/;
/** Stricter test for text between single dollar signs, which are also written before prices ("$5 and $10"). */
const LIKE_INLINE_TEX = /\\[A-Za-z]+|[_^]|^[A-Za-z]$/;

/**
 * Divides a text into plain text and formulas: `$$…$$`, `\[…\]`, `\(…\)`, `\begin{…}…\end{…}`, and `$…$` if that cannot
 * be a price. Linear: the search for a closing delimiter never goes back.
 */
export function splitTexFormulas(text: string): TextPiece[] {
  if (!MAY_HOLD_TEX.test(text)) return [{ text }];
  const pieces: TextPiece[] = [];
  const search = new Search(text);
  let from = 0;
  for (let at = search.next(0); at >= 0; at = search.next(at)) {
    const found = search.formulaAt(at);
    if (found.tex === null) {
      at = found.end;
      continue;
    }
    if (at > from) pieces.push({ text: text.slice(from, at) });
    pieces.push({ tex: found.tex, display: found.display });
    from = at = found.end;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}

/** A formula, or `tex: null` if no formula begins before `end`. */
type Found = { tex: string | null; display: boolean; end: number };

function nothingUntil(end: number): Found {
  return { tex: null, display: false, end };
}

class Search {
  private readonly text: string;
  /** Caches the next position of each closing delimiter, so a text without one is searched only once. */
  private readonly closings = new Map<string, number>();

  constructor(text: string) {
    this.text = text;
  }

  /** Returns the next position at which a formula may begin; -1 if there is none. */
  next(from: number): number {
    const { text } = this;
    for (let at = from; at < text.length; at += 1) {
      const sign = text.charAt(at);
      if (sign === '$' || (sign === '\\' && '([b'.includes(text.charAt(at + 1) || ' '))) return at;
    }
    return -1;
  }

  formulaAt(at: number): Found {
    for (const { open, close, display } of MARKS) {
      if (this.text.startsWith(open, at)) return this.between(at + open.length, close, display);
    }
    return this.text.charAt(at) === '$' ? this.betweenDollars(at) : this.environmentAt(at);
  }

  /**
   * Reads a formula up to `close`. Text that does not look like TeX is skipped as a whole, because no part of it is a
   * formula.
   */
  private between(start: number, close: string, display: boolean): Found {
    const end = this.closing(close, start);
    if (end < 0 || end - start > FORMULA_CHARS_MAX) return nothingUntil(start);
    const tex = this.text.slice(start, end);
    return LIKE_TEX.test(tex) ? { tex, display, end: end + close.length } : nothingUntil(Math.max(start, end));
  }

  /** Reads a formula between single dollar signs: no space inside them, and no digit after the second, as in Pandoc. */
  private betweenDollars(at: number): Found {
    const end = this.closing('$', at + 1);
    if (end < 0 || end - at > FORMULA_CHARS_MAX) return nothingUntil(at + 1);
    const tex = this.text.slice(at + 1, end);
    const isFormula = !/^\s|\s$/.test(tex) && !/\d/.test(this.text.charAt(end + 1)) && LIKE_INLINE_TEX.test(tex);
    return isFormula ? { tex, display: false, end: end + 1 } : nothingUntil(Math.max(at + 1, end));
  }

  private environmentAt(at: number): Found {
    BEGIN.lastIndex = at;
    const name = BEGIN.exec(this.text)?.[1];
    const close = `\\end{${name ?? ''}}`;
    const end = name === undefined ? -1 : this.closing(close, at);
    if (end < 0 || end - at > FORMULA_CHARS_MAX) return nothingUntil(at + 1);
    return { tex: this.text.slice(at, end + close.length), display: true, end: end + close.length };
  }

  private closing(mark: string, from: number): number {
    const known = this.closings.get(mark);
    if (known !== undefined && (known < 0 || known >= from)) return known;
    const found = this.text.indexOf(mark, from);
    this.closings.set(mark, found);
    return found;
  }
}
