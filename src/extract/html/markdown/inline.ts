import { codeSpan, escapeInline } from '#extract/escape.ts';

/** An inline element around text. It is written when the first text inside it is, so that an empty one leaves no marks. */
export type Mark = {
  kind: 'strong' | 'em' | 'del' | 'link' | 'sub' | 'sup';
  open: string;
  close: string;
  /** A link that spans several blocks is written around the first one only. */
  used: boolean;
};

export type BreakStyle = 'hard' | 'html' | 'space';

type LastClosed = { kind: Mark['kind']; openAt: number; closeAt: number; afterPunctuation: boolean };

type OpenMark = { mark: Mark; at: number };

/** Longer code that touches is set apart by a space: writing it anew each time would cost the square of its length. */
const TOUCHING_CODE_CHARS_MAX = 100;
const LEADING_SPACE = /^\s+/;
const WORD = /^[\p{L}\p{N}]/u;
const WORD_AT_END = /[\p{L}\p{N}]$/u;
const PUNCTUATION = /^[\p{P}\p{S}]/u;
const PUNCTUATION_AT_END = /[\p{P}\p{S}]$/u;

/** One run of inline content on its way to a paragraph, heading or cell. Appending is linear in what is appended. */
export class Inline {
  private readonly parts: string[] = [];
  private opened: OpenMark[] = [];
  private pendingSpace = false;
  private breaks = 0;
  private lead = '';
  private lastClosed: LastClosed | null = null;
  private lastCode: { at: number; code: string } | null = null;
  private readonly style: BreakStyle;
  private readonly marks: readonly Mark[];

  /** `marks` is the walk's own stack of open inline elements, shared by every run. */
  constructor(style: BreakStyle, marks: readonly Mark[]) {
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
    if (body.length < raw.length) this.pendingSpace = true;
    if (body === '') return;
    const whole = body.trimEnd();
    const core = whole.replace(/\s+/g, ' ');
    const inLink = this.marks.some((mark) => mark.kind === 'link' && !mark.used);
    this.emit(escapeInline(core, { inLink, inCell: this.style === 'html' }), core);
    this.pendingSpace = whole.length < body.length;
  }

  /** A code span; two that touch are written as one, since their marks would run together. */
  code(code: string): void {
    const inCell = this.style === 'html';
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
    this.emit(codeSpan(code, inCell), code);
    this.lastCode = { at: this.parts.length - 1, code };
  }

  /** Finished Markdown: an image, a formula. */
  atom(markdown: string): void {
    this.emit(markdown, markdown);
  }

  /** Written before the next text, if any comes. */
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

  /** Called by the walk when it has taken `mark` off its stack. */
  closeMark(mark: Mark): void {
    const top = this.opened.at(-1);
    if (top?.mark !== mark) return;
    this.opened.pop();
    this.writeClose(top);
  }

  /** The finished text; the run is empty afterwards. */
  finish(): string {
    while (this.opened.length > 0) {
      const top = this.opened.pop();
      if (top !== undefined) this.writeClose(top);
    }
    const text = this.parts.join('');
    this.parts.length = 0;
    this.pendingSpace = false;
    this.breaks = 0;
    this.lead = '';
    this.lastClosed = null;
    this.lastCode = null;
    return text;
  }

  private emit(markdown: string, source: string): void {
    this.reopenMark();
    this.writeGap(source);
    if (this.lead !== '') this.parts.push(this.lead);
    this.lead = '';
    for (const mark of this.marks) this.openMark(mark, source);
    this.parts.push(markdown);
    this.pendingSpace = false;
  }

  /** `**a****b**` is no two runs of strong text: the second goes on where the first has just ended. */
  private reopenMark(): void {
    const closed = this.lastClosed;
    if (closed === null || this.pendingSpace || this.breaks > 0 || this.lead !== '') return;
    const next = this.marks.find((mark) => !this.opened.some((open) => open.mark === mark));
    if (next === undefined || next.kind !== closed.kind || closed.closeAt !== this.parts.length - 1) return;
    this.parts.pop();
    this.opened.push({ mark: next, at: closed.openAt });
    this.lastClosed = null;
  }

  private writeGap(source: string): void {
    if (this.parts.length === 0) {
      this.pendingSpace = false;
      this.breaks = 0;
      return;
    }
    const inLink = this.opened.some((open) => open.mark.kind === 'link');
    if (this.breaks > 0) this.parts.push(inLink ? ' ' : this.style === 'html' ? '<br>' : '\\\n');
    else if (this.pendingSpace) this.parts.push(' ');
    else this.dropBrokenClose(source);
    this.breaks = 0;
    this.lastClosed = null;
  }

  private isOpen(mark: Mark): boolean {
    return mark.used || this.opened.some((open) => open.mark === mark);
  }

  private openMark(mark: Mark, source: string): void {
    if (this.isOpen(mark)) return;
    const last = this.parts.at(-1) ?? '';
    if (mark.kind === 'link') {
      if (last.endsWith('!') && !last.endsWith('\\!')) this.parts[this.parts.length - 1] = `${last.slice(0, -1)}\\!`;
      mark.used = true;
    }
    const broken = isDelimiter(mark) && WORD_AT_END.test(last) && PUNCTUATION.test(source);
    this.opened.push({ mark, at: broken ? -1 : this.parts.length });
    if (!broken) this.parts.push(mark.open);
  }

  private writeClose({ mark, at }: OpenMark): void {
    if (at < 0) return;
    const last = this.parts.at(-1) ?? '';
    this.lastClosed = isDelimiter(mark)
      ? { kind: mark.kind, openAt: at, closeAt: this.parts.length, afterPunctuation: PUNCTUATION_AT_END.test(last) }
      : null;
    this.parts.push(mark.close);
  }

  /** `**"a"**b` is no emphasis in CommonMark (§6.2, right-flanking): the marks would stand as text. */
  private dropBrokenClose(source: string): void {
    const closed = this.lastClosed;
    if (closed === null || !closed.afterPunctuation || !WORD.test(source)) return;
    this.parts[closed.openAt] = '';
    this.parts[closed.closeAt] = '';
  }
}

function isDelimiter(mark: Mark): boolean {
  return mark.kind === 'strong' || mark.kind === 'em' || mark.kind === 'del';
}
