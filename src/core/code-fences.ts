import { closesFence, openingFence } from './block-marks.ts';

/** Tells lines of code from lines of text, line by line, as CommonMark does (§4.5), in quotes and list items, too. */
export class CodeFences {
  /** The mark that opened the current block of code, or `null` between blocks. */
  open: string | null = null;

  /** Whether the next line is code, or opens or closes a block of it. */
  take(line: string): boolean {
    if (this.open === null) {
      this.open = openingFence(line);
      return this.open !== null;
    }
    if (closesFence(line, this.open)) this.open = null;
    return true;
  }
}
