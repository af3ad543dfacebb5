import { APART_GAP_MIN_EM } from '#extract/pdf/drawn/pieces.ts';
import type { PdfPiece } from '#extract/pdf/drawn/pieces.ts';
import { estimateWordPositions } from './word-places.ts';

/**
 * Pieces of a row without a gap between them: a table cell, or part of a line of text. `first` is true for the leftmost
 * of the row; `source` is the piece from which a word was split.
 */
export type CellAtom = {
  left: number;
  right: number;
  size: number;
  pieces: PdfPiece[];
  first: boolean;
  source?: PdfPiece;
};
/** Cells below each other with the same left edge, right edge or middle (`kind`). */
type Chain = { kind: number; at: number; members: { row: number; atom: CellAtom }[]; y: number; size: number };
export type HorizontalSpan = { left: number; right: number };
export type CellColumn = HorizontalSpan & { at: number; kind: number; members: Chain['members'] };

/** Minimum gap between two cells of a row, in multiples of the text size. */
const GAP_MIN = 0.15;
/** Maximum gap inside a cell after a list mark, or next to a sign such as `=`, in multiples of the text size. */
const MARK_GAP_MAX = 1;
/** Maximum distance between two successive rows of a table, in multiples of the text size. */
const ROW_PITCH_MAX = 3.5;
/** Minimum gap before a list mark that begins a cell, in multiples of the text size. */
const MARK_APART_MIN = 2;
/** Maximum distance between the edges of cells in one column, in points. */
const EDGE_TOLERANCE = 0.8;
const MEMBERS_MIN = 3;
const MIDDLE = 2;
/**
 * Maximum rows between two cells of a column. The rows between them have an empty cell, or further lines of other
 * cells.
 */
const SKIPPED_MAX = 6;
/** Maximum rows above and below a column's cells that may still belong to the table. */
const MORE_ROWS_MAX = 2;
/** Minimum columns of a table, not counting the first. Rows with fewer are names and values, or items of a list. */
export const TABLE_COLUMNS_MIN = 2;
const COLUMNS_MAX = 40;
/** Minimum gap on both sides of a cell that counts as centred in a column, in multiples of the text size. */
const MIDDLE_GAP_MIN = 0.6;
export const LIST_ITEM_MARK_PATTERN = /^(?:[•●▪■◦○‣⁃∙·–—-]|\(?(?:\d{1,3}|[a-z])[.)])$/u;
const NUMERIC_CHARACTERS = /^[\d\s.,:%‰€$£¥+±<>=()/−–-]+$/;
const GROUPED = /^[^\d]?\d{1,3}(?: \d{3})+(?:[.,]\d+)?$/;
const NO_VALUE = /^[–—-]$/u;
const OPERATOR = /^[=≤≥<>≈≡∼≃→←⇒↦∈:+]+$/u;

export function toCellAtoms(row: readonly PdfPiece[]): CellAtom[] {
  const atoms: CellAtom[] = [];
  for (const piece of row) {
    const last = atoms.at(-1);
    const right = piece.x + piece.width;
    if (last !== undefined && goesOn(last, piece, atoms.at(-2))) {
      last.pieces.push(piece);
      last.right = Math.max(last.right, right);
      last.size = Math.max(last.size, piece.size);
    } else if (areNumbers(piece)) {
      for (const word of estimateWordPositions(piece)) atoms.push(createCellAtom(piece, word, atoms.length === 0));
    } else atoms.push({ left: piece.x, right, size: piece.size, pieces: [piece], first: atoms.length === 0 });
  }
  return atoms;
}

export function createCellAtom(
  source: PdfPiece,
  { left, right, text }: HorizontalSpan & { text: string },
  first: boolean,
): CellAtom {
  return { left, right, size: source.size, pieces: [{ ...source, x: left, width: right - left, text }], first, source };
}

/** True for several numbers that pdf.js joined across a narrow gap, unlike one number in groups of three digits. */
function areNumbers({ text, rtl }: PdfPiece): boolean {
  const words = text.trim().split(' ');
  const areCells = words.some(isNumeric) && words.every((word) => isNumeric(word) || NO_VALUE.test(word));
  return !rtl && words.length > 1 && areCells && !GROUPED.test(text.trim());
}

function goesOn(last: CellAtom, piece: PdfPiece, before: CellAtom | undefined): boolean {
  const gap = piece.x - last.right;
  const size = Math.max(last.size, piece.size);
  if (gap < (piece.isApart === true ? APART_GAP_MIN_EM : GAP_MIN) * size) return true;
  if (gap > MARK_GAP_MAX * size) return false;
  const text = last.pieces.at(-1)?.text.trim() ?? '';
  if (OPERATOR.test(piece.text.trim()) || OPERATOR.test(text)) return true;
  // A dash inside a row is a cell without a value. Only the first of a row is a list mark.
  if (before !== undefined && NO_VALUE.test(text)) return false;
  const isApart = before === undefined || last.left - before.right > MARK_APART_MIN * size;
  return isApart && last.pieces.length === 1 && LIST_ITEM_MARK_PATTERN.test(text);
}

/**
 * Returns the columns in each row, from left to right. In at least three rows, a column's cells share their left edge,
 * right edge or middle, however narrow the gap next to them is.
 */
export function findCellColumns(rows: readonly (readonly CellAtom[])[]): CellColumn[][] {
  const active: CellColumn[][] = rows.map(() => []);
  const taken = new Set<CellAtom>();
  const found: CellColumn[] = [];
  const chains = chainsOf(rows).sort((one, other) => other.members.length - one.members.length);
  const add = (chain: Chain, members: Chain['members']) => {
    const column = addColumn(active, chain, members);
    if (column === null) return;
    for (const { atom } of members) taken.add(atom);
    found.push(column);
  };
  for (const chain of chains) {
    const members = chain.members.filter(({ atom }) => !taken.has(atom));
    if (members.filter(({ atom }) => !atom.first).length >= MEMBERS_MIN) add(chain, members);
  }
  // Lines of running text also share a left edge, so a left edge makes a column only in rows with other columns.
  const others = active.map((columns) => columns.length);
  for (const chain of chains) {
    const members = chain.members.filter(
      ({ row, atom }) => !taken.has(atom) && (others[row] ?? 0) >= TABLE_COLUMNS_MIN,
    );
    if (members.length >= MEMBERS_MIN) add(chain, members);
  }
  for (const columns of active) columns.sort((one, other) => one.left - other.left);
  for (const column of found) widen(column, active);
  return active;
}

/** Adds a column as wide as the overlap of all its cells. Returns `null` if it overlaps another column. */
function addColumn(active: readonly CellColumn[][], { kind, at }: Chain, members: Chain['members']): CellColumn | null {
  const left = members.reduce((most, { atom }) => Math.max(most, atom.left), -Infinity);
  const right = members.reduce((least, { atom }) => Math.min(least, atom.right), Infinity);
  const column: CellColumn = { left, right, kind, at, members };
  for (const { row } of members) {
    if (active[row]?.some((other) => measureOverlap(column, other) > 0) === true) return null;
  }
  const from = Math.max(0, (members[0]?.row ?? 0) - MORE_ROWS_MAX);
  const to = (members.at(-1)?.row ?? -1) + MORE_ROWS_MAX;
  for (const columns of active.slice(from, to + 1)) {
    if (columns.length < COLUMNS_MAX) columns.push(column);
  }
  return column;
}

/** Widens a column to the edges of its cells, except cells that extend into the next column. */
function widen(column: CellColumn, active: readonly CellColumn[][]): void {
  let from = -Infinity;
  let to = Infinity;
  for (const { row } of column.members) {
    const columns = active[row] ?? [];
    const at = columns.indexOf(column);
    from = Math.max(from, columns[at - 1]?.right ?? -Infinity);
    to = Math.min(to, columns[at + 1]?.left ?? Infinity);
  }
  for (const { atom } of column.members) {
    if (atom.left >= from) column.left = Math.min(column.left, atom.left);
    if (atom.right <= to) column.right = Math.max(column.right, atom.right);
  }
}

/** Finds edges and middles that cells of nearby rows share: they may be columns. Only rows with several cells count. */
function chainsOf(rows: readonly (readonly CellAtom[])[]): Chain[] {
  const ended: Chain[] = [];
  const open = [new Map<number, Chain>(), new Map<number, Chain>(), new Map<number, Chain>()];
  for (const [row, atoms] of rows.entries()) {
    if (atoms.length < 2) continue;
    for (const [index, atom] of atoms.entries()) {
      const isApart = [gapAfter(atoms, index - 1), gapAfter(atoms, index)].every(
        (gap) => gap >= MIDDLE_GAP_MIN * atom.size,
      );
      for (const [kind, at] of edgesAndCentre(atom).entries()) {
        const chains = open[kind];
        if (chains !== undefined && (kind !== MIDDLE || isApart)) link(chains, ended, { kind, row, atom, at });
      }
    }
  }
  return [...ended, ...open.flatMap((chains) => [...chains.values()])].filter(
    ({ members }) => members.length >= MEMBERS_MIN,
  );
}

function gapAfter(atoms: readonly HorizontalSpan[], index: number): number {
  return (atoms[index + 1]?.left ?? Infinity) - (atoms[index]?.right ?? -Infinity);
}

function link(
  chains: Map<number, Chain>,
  ended: Chain[],
  { kind, row, atom, at }: { kind: number; row: number; atom: CellAtom; at: number },
): void {
  const key = Math.round(at / EDGE_TOLERANCE);
  const y = atom.pieces[0]?.y ?? 0;
  for (const near of [key, key - 1, key + 1]) {
    const chain = chains.get(near);
    if (chain === undefined || Math.abs(chain.at - at) > EDGE_TOLERANCE) continue;
    const distance = row - (chain.members.at(-1)?.row ?? row);
    const isNear = distance <= SKIPPED_MAX && y - chain.y <= ROW_PITCH_MAX * distance * chain.size;
    if (!isNear || distance === 0) continue;
    chain.members.push({ row, atom });
    chain.y = y;
    return;
  }
  const before = chains.get(key);
  if (before !== undefined) ended.push(before);
  chains.set(key, { kind, at, members: [{ row, atom }], y, size: atom.size });
}

export function measureOverlap(one: HorizontalSpan, other: HorizontalSpan): number {
  return Math.min(one.right, other.right) - Math.max(one.left, other.left);
}

export function edgesAndCentre({ left, right }: HorizontalSpan): number[] {
  return [left, right, (left + right) / 2];
}

export function isNumeric(text: string): boolean {
  return /\d/.test(text) && NUMERIC_CHARACTERS.test(text);
}
