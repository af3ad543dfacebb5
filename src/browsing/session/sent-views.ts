import type { View } from '#browsing/view/view.ts';

/** Minimum characters of a view that may be omitted. The sentence that replaces a view would hardly be shorter. */
const VIEW_CHARS_MIN = 400;
const LINES_MAX = 4_000;

type ShownTab = { readonly id: string; main: () => { loaderId: string } };
type Sent = {
  tab: string;
  /** Full text of the view, including the parts that were folded because the caller knows them. */
  unfolded: string;
  lines: ReadonlySet<string>;
  call: number;
};

/** Remembers which views a session has sent, so that an unchanged view is not sent twice in a row. */
export class SentViewMemory {
  #calls = 0;
  #last: Sent | null = null;
  /** The view in the response of the running call. */
  #next: Sent | null = null;
  readonly #lines = new WeakMap<ShownTab, { loaderId: string; lines: Set<string> }>();

  beginCall(): void {
    this.#calls += 1;
    this.#next = this.#last;
  }

  /** Called when the response is complete. A failed call sends no view. */
  endCall(): void {
    this.#last = this.#next;
  }

  /**
   * Prepares a view for the response. An unchanged view is replaced by a short sentence, but never twice in a row, so
   * that a caller that has lost the earlier response gets the text with its next call.
   * @param unfolded the text of the view with the parts that `foldKnownLines` has removed
   */
  once<Of extends View>(tab: ShownTab, view: Of, unfolded = view.text): Of {
    const { text } = view;
    const last = this.#last;
    this.#noteLines(tab, text);
    const isInError = last?.call === this.#calls && linesIn(unfolded).every((line) => last.lines.has(line));
    // A folded view may reach further down the page than the full view that was sent.
    const hasMore = linesIn(text).some((line) => last?.lines.has(line) !== true && !FOLDED.test(line));
    const isAgain = last?.unfolded === unfolded && !hasMore;
    const isSame = last?.tab === tab.id && text.length >= VIEW_CHARS_MIN && (isAgain || isInError);
    if (!isSame) {
      this.#next = this.#sent(tab, unfolded);
      return view;
    }
    this.#next = null;
    return { ...view, text: '', shown: 0, sameFor: this.#calls - last.call };
  }

  /**
   * Prepares a requested view. It is sent even if unchanged, because the last view may have been sent to another
   * caller.
   */
  asked<Of extends View>(tab: ShownTab, view: Of): Of {
    this.#noteLines(tab, view.text);
    this.#next = this.#sent(tab, view.text);
    return view;
  }

  /**
   * Prepares a view for the error of this call. Although the call fails, its error is sent, so the view in the error
   * counts as sent.
   * @returns false if the last view that was sent is of the same tab and has all lines of this one. True for a short
   * view
   */
  isNewInError(tab: ShownTab, text: string): boolean {
    const last = this.#last;
    const isKnown =
      last?.tab === tab.id && text.length >= VIEW_CHARS_MIN && linesIn(text).every((line) => last.lines.has(line));
    if (isKnown) return false;
    this.#last = this.#sent(tab, text);
    this.#noteLines(tab, text);
    return true;
  }

  linesOf(tab: ShownTab): ReadonlySet<string> {
    const known = this.#lines.get(tab);
    return known?.loaderId === tab.main().loaderId ? known.lines : NO_LINES;
  }

  #sent({ id }: ShownTab, unfolded: string): Sent {
    return { tab: id, unfolded, lines: new Set(linesIn(unfolded)), call: this.#calls };
  }

  #noteLines(tab: ShownTab, text: string): void {
    const { loaderId } = tab.main();
    const known = this.#lines.get(tab);
    const lines = known?.loaderId === loaderId && known.lines.size < LINES_MAX ? known.lines : new Set<string>();
    for (const line of linesIn(text)) lines.add(line);
    this.#lines.set(tab, { loaderId, lines });
  }
}

/** The lines of a view without indentation. */
function linesIn(text: string): string[] {
  return text.split('\n').map((line) => line.trimStart());
}

const FOLDED = /\(\d+ lines? as shown before\)$/u;
const NO_LINES: ReadonlySet<string> = new Set();
