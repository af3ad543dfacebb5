import { fenceMark } from './visible-text.ts';

/** Tells lines of code from lines of text, line by line, as CommonMark does (§4.5), in quotes and list items, too. */
export class CodeFences {
  /** The mark that the block of code which is open now began with, or `null`. */
  open: string | null = null;

  /** Whether the next line is code or begins or ends a block of it. */
  take(line: string): boolean {
    const mark = fenceMark(line);
    if (this.open !== null) {
      if (mark?.startsWith(this.open) === true && isAlone(mark, line)) this.open = null;
      return true;
    }
    // A line of text may begin with code that has three marks and ends in the same line.
    if (mark?.startsWith('`') === true && line.includes('`', line.indexOf(mark) + mark.length)) return false;
    this.open = mark;
    return mark !== null;
  }
}

function isAlone(mark: string, line: string): boolean {
  return line.trimEnd().length === line.indexOf(mark) + mark.length;
}
