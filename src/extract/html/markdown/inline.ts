import { codeSpan, escapeInline } from '#extract/escape.ts';
import { writeDelimiters } from './delimiters.ts';
import type { EmphasisDelimiter, InlinePiece } from './delimiters.ts';

/**
 * A link, bold text or the like. `open` is written just before the first text inside, so that an empty element leaves
 * no mark.
 */
export type InlineMark = {
  kind: 'strong' | 'em' | 'del' | 'link' | 'sub' | 'sup';
  open: string;
  close: string;
  /**
   * True once a link was written; stays false for other marks. Of several blocks in one link, only the first becomes a
   * Markdown link.
   */
  used: boolean;
};

export type LineBreakStyle = 'hard' | 'html' | 'space';

type LastClosed = { opened: OpenMark; closeAt: number };

/** A mark that is open in the output. `written` identifies its delimiters, also if the mark is closed and reopened. */
type OpenMark = { mark: InlineMark; written: object };

/**
 * Maximum characters of a code span that is merged with the next one. Each merge rewrites the span, which would take
 * quadratic time.
 */
const TOUCHING_CODE_CHARS_MAX = 100;
const LEADING_SPACE = /^\s+/;
const SPACE = /\s+/g;
/** Matches several no-break spaces, which browsers show in full. A single no-break space only prevents a line break. */
const WIDE_SPACE = /^\u00a0{2,}$/;
const HOLDS_WIDE_SPACE = /\u00a0{2}/;

/** Inline content that becomes one paragraph, heading or table cell. Appending takes linear time. */
export class InlineContent {
  private readonly parts: InlinePiece[] = [];
  private readonly opened: OpenMark[] = [];
  private readonly openMarks = new Set<InlineMark>();
  private pendingSpace = false;
  private gap = ' ';
  private breaks = 0;
  private lead = '';
  private lastClosed: LastClosed | null = null;
  /** Indexes in `parts` of texts with a tilde. */
  private readonly tildes: number[] = [];
  private lastCode: { at: number; code: string } | null = null;
  private readonly style: LineBreakStyle;
  private readonly marks: readonly InlineMark[];

  /** @param marks the inline elements that are open now, outermost first; the caller changes this list */
  constructor(style: LineBreakStyle, marks: readonly InlineMark[]) {
    this.style = style;
    this.marks = marks;
  }

  isEmpty(): boolean {
    return this.parts.length === 0;
  }

  endsWithBreak(): boolean {
    return this.breaks > 0;
  }

  text(raw: string): void {
    const body = raw.replace(LEADING_SPACE, '');
    if (body.length < raw.length) this.addSpace(raw.slice(0, raw.length - body.length));
    if (body === '') return;
    const whole = body.trimEnd();
    const core = HOLDS_WIDE_SPACE.test(whole) ? whole.replace(SPACE, spaceOf) : whole.replace(SPACE, ' ');
    const inLink = this.isInLink() || this.marks.some((mark) => mark.kind === 'link' && !mark.used);
    this.emit(escapeInline(core, { inLink, inCell: this.style === 'html' }));
    if (core.includes('~')) this.tildes.push(this.parts.length - 1);
    if (whole.length < body.length) this.addSpace(body.slice(whole.length));
  }

  private addSpace(run: string): void {
    const space = spaceOf(run);
    this.gap = this.pendingSpace && this.gap.length > space.length ? this.gap : space;
    this.pendingSpace = true;
  }

  /**
   * Writes a code span. Adjacent code spans are merged, or separated by a space if the first is long, because their
   * backticks would touch and be read as one mark.
   */
  code(code: string): void {
    const inCell = this.style === 'html';
    this.reopenMark();
    const last = this.lastCode;
    const touches = last !== null && last.at === this.parts.length - 1 && !this.pendingSpace && this.breaks === 0;
    if (touches && this.marks.every((mark) => this.isOpen(mark))) {
      if (last.code.length < TOUCHING_CODE_CHARS_MAX) {
        last.code += code;
        this.parts[last.at] = codeSpan(last.code, inCell);
        return;
      }
      this.pendingSpace = true;
    }
    this.emit(codeSpan(code, inCell));
    this.lastCode = { at: this.parts.length - 1, code };
  }

  atom(markdown: string): void {
    this.emit(markdown);
  }

  /** Sets Markdown that is written before the next text. It is dropped if no text follows. */
  raw(markdown: string): void {
    this.lead = markdown;
  }

  space(): void {
    this.pendingSpace = true;
  }

  lineBreak(): void {
    if (this.isEmpty()) return;
    if (this.style === 'space') this.pendingSpace = true;
    else this.breaks += 1;
  }

  /** Closes a mark, which the caller must have removed from `marks` before. */
  closeMark(mark: InlineMark): void {
    const top = this.opened.at(-1);
    if (top?.mark !== mark) return;
    this.popMark();
    this.writeClose(top);
  }

  /** Returns the Markdown and clears the content. */
  finish(): string {
    while (this.opened.length > 0) {
      const top = this.popMark();
      if (top !== undefined) this.writeClose(top);
    }
    this.escapeTildes();
    const text = writeDelimiters(this.parts);
    this.parts.length = 0;
    this.tildes.length = 0;
    this.pendingSpace = false;
    this.breaks = 0;
    this.lead = '';
    this.lastClosed = null;
    this.lastCode = null;
    return text;
  }

  /**
   * Escapes tildes in page text if several texts have one or if text is struck out, because two tildes strike out the
   * text between them.
   */
  private escapeTildes(): void {
    const isAlone =
      this.tildes.length < 2 && !this.parts.some((part) => typeof part !== 'string' && part.kind === 'del');
    if (isAlone) return;
    for (const at of this.tildes) {
      const part = this.parts[at];
      if (typeof part !== 'string') continue;
      this.parts[at] = part.replace(/\\[\s\S]|~/g, (mark) => (mark === '~' ? '\\~' : mark));
    }
  }

  private emit(markdown: string): void {
    this.reopenMark();
    this.writeGap();
    if (this.lead !== '') this.parts.push(this.lead);
    this.lead = '';
    for (const mark of this.marks) this.openMark(mark);
    this.parts.push(markdown);
    this.pendingSpace = false;
  }

  /** Continues the last mark if another one of the same kind follows directly: Markdown cannot express `**a****b**`. */
  private reopenMark(): void {
    const closed = this.lastClosed;
    if (closed === null || this.pendingSpace || this.breaks > 0 || this.lead !== '') return;
    const next = this.marks.find((mark) => !this.openMarks.has(mark));
    if (next === undefined || next.kind !== closed.opened.mark.kind || closed.closeAt !== this.parts.length - 1) return;
    this.parts.pop();
    this.pushMark({ mark: next, written: closed.opened.written });
    this.lastClosed = null;
  }

  private writeGap(): void {
    if (this.parts.length === 0) {
      this.pendingSpace = false;
      this.gap = ' ';
      this.breaks = 0;
      return;
    }
    const inLink = this.isInLink();
    if (this.breaks > 0) this.parts.push(inLink ? ' ' : this.style === 'html' ? '<br>' : '\\\n');
    else if (this.pendingSpace) this.parts.push(this.gap);
    this.gap = ' ';
    this.breaks = 0;
    this.lastClosed = null;
  }

  private isInLink(): boolean {
    return this.opened.some((open) => open.mark.kind === 'link');
  }

  private isOpen(mark: InlineMark): boolean {
    return mark.used || this.openMarks.has(mark);
  }

  private pushMark(opened: OpenMark): void {
    this.opened.push(opened);
    this.openMarks.add(opened.mark);
  }

  private popMark(): OpenMark | undefined {
    const opened = this.opened.pop();
    if (opened !== undefined) this.openMarks.delete(opened.mark);
    return opened;
  }

  private openMark(mark: InlineMark): void {
    if (this.isOpen(mark)) return;
    if (mark.kind === 'link') mark.used = true;
    const opened = { mark, written: {} };
    this.pushMark(opened);
    this.parts.push(delimiter(opened, 'open') ?? mark.open);
  }

  private writeClose(opened: OpenMark): void {
    const close = delimiter(opened, 'close');
    this.lastClosed = close === null ? null : { opened, closeAt: this.parts.length };
    this.parts.push(close ?? opened.mark.close);
  }
}

function spaceOf(run: string): string {
  return WIDE_SPACE.test(run) ? run : ' ';
}

/** Returns the delimiter of a mark; `null` for links, `sub` and `sup`, which are read correctly after any character. */
function delimiter({ mark: { kind }, written }: OpenMark, side: 'open' | 'close'): EmphasisDelimiter | null {
  return kind === 'strong' || kind === 'em' || kind === 'del' ? { kind, side, mark: written } : null;
}
