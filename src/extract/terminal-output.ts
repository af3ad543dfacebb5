/** Matches what is not plain text in the output of a program: controls (ECMA-48 CSI, OSC), line ends and the rest. */
const PART =
  /\x1b\[([0-9;?]*)[ -/]*([@-~])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]?|[\b\r\n]|[^\x1b\b\r\n]+/g;
const MOVES = /[\b\r]|\x1b\[[0-9;?]*[ABCDGHJK]/;
/** Maximum lines or characters that one control moves the cursor. Terminals are not larger. */
const MOVE_MAX = 500;

/**
 * Applies the controls of a terminal to the output of a program, such as a progress bar: what later text overwrites or
 * erases is left out, and so are colours. Linear time.
 */
export function showTerminalOutput(text: string): string {
  if (!MOVES.test(text)) return withoutEscapes(text);
  const screen = new Screen(text.length);
  for (const [part, given = '', control] of text.matchAll(PART)) {
    if (control !== undefined) screen.control(control, given);
    else if (part === '\n') screen.nextLine();
    else if (part === '\r') screen.column = 0;
    else if (part === '\b') screen.column = Math.max(0, screen.column - 1);
    else if (!part.startsWith('\x1b')) screen.write(part);
  }
  return screen.lines.map((line) => line.join('').trimEnd()).join('\n');
}

/** Removes colours and all other escape sequences. */
export function withoutEscapes(text: string): string {
  return text.includes('\x1b') ? text.replace(PART, (part) => (part.startsWith('\x1b') ? '' : part)) : text;
}

class Screen {
  readonly lines: string[][] = [[]];
  column = 0;
  private row = 0;
  /** Maximum spaces that are added where the cursor moved to the right of a line's end. */
  private spacesLeft: number;

  constructor(spacesMax: number) {
    this.spacesLeft = spacesMax;
  }

  write(text: string): void {
    const line = this.line();
    for (; line.length < this.column && this.spacesLeft > 0; this.spacesLeft -= 1) line.push(' ');
    this.column = Math.min(this.column, line.length);
    for (const character of text) {
      line[this.column] = character;
      this.column += 1;
    }
  }

  nextLine(): void {
    this.row += 1;
    this.column = 0;
    if (this.row === this.lines.length) this.lines.push([]);
  }

  control(name: string, given: string): void {
    const count = Math.min(MOVE_MAX, Math.max(1, Number.parseInt(given, 10) || 1));
    if (name === 'A') this.row = Math.max(0, this.row - count);
    else if (name === 'B') this.row = Math.min(this.lines.length - 1, this.row + count);
    else if (name === 'C') this.column += count;
    else if (name === 'D') this.column = Math.max(0, this.column - count);
    else if (name === 'G') this.column = count - 1;
    else if (name === 'K') this.eraseInLine(given);
    else if (name === 'J' && given.startsWith('2')) this.eraseAll();
    else if (name === 'J' && !given.startsWith('1')) {
      this.eraseInLine('');
      this.lines.splice(this.row + 1);
    }
  }

  private line(): string[] {
    return (this.lines[this.row] ??= []);
  }

  private eraseInLine(given: string): void {
    const line = this.line();
    if (given === '2') line.length = 0;
    else if (given !== '1') line.length = Math.min(line.length, this.column);
  }

  private eraseAll(): void {
    this.lines.splice(0, Infinity, []);
    this.row = 0;
    this.column = 0;
  }
}
