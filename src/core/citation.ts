import type { Viewport } from './document.ts';
import { PATHS } from './paths.ts';

/** A document as the subject has it by a cursor. */
export type CitedSource = {
  cursor: string;
  documentId: string;
  /** As the subject opened it; it may hold a credential. */
  url: string;
  /** Whether a script of the page may have set `url`; `null` where an earlier version read it, and nothing tells. */
  urlByScript: boolean | null;
  title: string | null;
  lineCount: number;
  restStart: number | null;
  /** When the text was fetched (ms). */
  fetchedAt: number;
  /** Stored for the subject alone. */
  isPrivate: boolean;
  /** Read from a browser session: nobody else is shown what it shows. */
  isLive: boolean;
};

/** `L12-L15`: how the lines of a citation are written, in its mark and in its address. */
export function linesName({ start, end }: Viewport): string {
  return `L${start}-L${end}`;
}

/** `【c_…†L12-L15】`, the form a model puts behind a claim. */
export function citationMark(cursor: string, lines: Viewport): string {
  return `【${cursor}†${linesName(lines)}】`;
}

/** Where a person sees what a cursor shows; `/L12-L15` behind it marks these lines. */
export function cursorPath(cursor: string): string {
  return `${PATHS.citation}/${cursor}`;
}

/** Where a person sees the cited lines in their page. */
export function citationPath(cursor: string, lines: Viewport | null): string {
  return lines === null ? cursorPath(cursor) : `${cursorPath(cursor)}/${linesName(lines)}`;
}

/** What to say of the address of a quote that a script of its page may have set; `null` for nothing. */
export function urlByScriptNote(urlByScript: boolean | null): string | null {
  if (urlByScript === null) return UNKNOWN_NOTE;
  return urlByScript ? BY_SCRIPT_NOTE : null;
}

const BY_SCRIPT_NOTE =
  'A script may have set this address: the page ran its scripts in a browser, and they opened or showed another address than the one that was asked for.';
const UNKNOWN_NOTE =
  'A script of the page may have set this address: an earlier version of this server read the page, and did not record that.';

const LINES = /^L(\d{1,9})(?:-L(\d{1,9}))?$/;
const CURSOR = /^c_[a-z0-9]{16}$/;

/** Lines as an address writes them, one line alone, too; `null` for anything else, or when they run backwards. */
export function parseLines(text: string): Viewport | null {
  const [, first, last = first] = LINES.exec(text) ?? [];
  if (first === undefined || last === undefined) return null;
  const lines = { start: Number(first), end: Number(last) };
  return lines.start <= lines.end ? lines : null;
}

/** Whether text has the form of a cursor. Whose it is, and whether it exists, is another question. */
export function isCursorName(text: string): boolean {
  return CURSOR.test(text);
}

/** Whether a path is the address of a citation. */
export function isCitationPath(path: string): boolean {
  const [, place, cursor = '', lines, ...more] = path.split('/');
  const isPlace = `/${place ?? ''}` === PATHS.citation && isCursorName(cursor) && more.length === 0;
  return isPlace && (lines === undefined || parseLines(lines) !== null);
}
