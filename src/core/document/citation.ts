import type { Viewport } from './document.ts';
import { PATHS } from '#core/paths.ts';

export type CitedSource = {
  cursor: string;
  documentId: string;
  /** The URL with which the user opened the page. It may contain a credential. */
  url: string;
  /** True if a script of the page may have set `url`. `null` if the record of the fetch is no longer stored. */
  urlByScript: boolean | null;
  title: string | null;
  lineCount: number;
  restStart: number | null;
  fetchedAt: number;
  isPrivate: boolean;
  /** True if the page was read from a browser session. No other user may see such a page. */
  isLive: boolean;
};

/** Formats a line range as `L12-L15`, as in citation marks and URLs. */
export function lineRange({ start, end }: Viewport): string {
  return `L${start}-L${end}`;
}

/** Formats a citation mark, `【c_…†L12-L15】`. Models put it after a claim. */
export function formatCitation(cursor: string, lines: Viewport): string {
  return `【${cursor}†${lineRange(lines)}】`;
}

export function cursorPath(cursor: string): string {
  return `${PATHS.citation}/${cursor}`;
}

/** Returns the path of the citation page. With lines, the path ends in `/L12-L15`, and the page highlights them. */
export function citationPath(cursor: string, lines: Viewport | null): string {
  return lines === null ? cursorPath(cursor) : `${cursorPath(cursor)}/${lineRange(lines)}`;
}

export function noteScriptedUrl(urlByScript: boolean | null): string | null {
  if (urlByScript === null) return UNKNOWN_NOTE;
  return urlByScript ? BY_SCRIPT_NOTE : null;
}

const BY_SCRIPT_NOTE =
  'A script may have set this address: the page ran its scripts in a browser, and they opened or showed another address than the one that was asked for.';
const UNKNOWN_NOTE = 'A script of the page may have set this address: the record of its fetch is no longer stored.';

const LINES = /^L(\d{1,9})(?:-L(\d{1,9}))?$/;
const CURSOR = /^c_[a-z0-9]{16}$/;

/**
 * Parses `L12-L15` or a single line, `L12`. Returns `null` for any other text, or if the first line is after the last.
 */
export function parseLineRange(text: string): Viewport | null {
  const [, first, last = first] = LINES.exec(text) ?? [];
  if (first === undefined || last === undefined) return null;
  const lines = { start: Number(first), end: Number(last) };
  return lines.start <= lines.end ? lines : null;
}

/** Checks only the syntax of a cursor. A cursor with valid syntax may not exist. */
export function isCursor(text: string): boolean {
  return CURSOR.test(text);
}

export function isCitationPath(path: string): boolean {
  const [, place, cursor = '', lines, ...more] = path.split('/');
  const isPlace = `/${place ?? ''}` === PATHS.citation && isCursor(cursor) && more.length === 0;
  return isPlace && (lines === undefined || parseLineRange(lines) !== null);
}
