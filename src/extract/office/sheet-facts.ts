import { countWithUnit } from '#core/text/text.ts';
import type { Archive } from '#extract/archive.ts';
import type { LinkResolver } from '#extract/html/markdown/urls.ts';
import { firstNamedChild, namedChildren, descendantsOf, parseXml, textOf } from '#extract/xml/tree.ts';
import type { XmlElement } from '#extract/xml/tree.ts';
import { readRelations } from './package.ts';
import type { SidePartReader } from './package.ts';
import { SHEET_COLUMNS_MAX } from '#extract/limits.ts';

/** A rectangle of cells. Indexes begin with 0, and the last row and column belong to it. */
type Area = { top: number; left: number; bottom: number; right: number };

type CellComment = Area & { cell: string; author: string; text: string };

/** Text in a shape that floats over a sheet, with the cell at its top left corner. */
type TextBox = { row: number; column: number; text: string };

export type SheetFacts = {
  hiddenColumns: ReadonlySet<number>;
  merges: readonly Area[];
  links: readonly (Area & { url: string })[];
  comments: readonly CellComment[];
  textBoxes: readonly TextBox[];
};

/** Maximum links read per sheet. Excel allows 65,530. */
const LINKS_MAX = 5_000;
const MERGES_MAX = 20_000;
const COMMENTS_MAX = 1_000;
const TEXT_BOXES_MAX = 1_000;
/** Maximum columns whose properties are read: as many as Excel allows. */
const COLUMNS_MAX = 16_384;

type Relations = ReturnType<typeof readRelations>;
type Workbook = { archive: Archive; links: LinkResolver; parts: SidePartReader };

/**
 * Reads facts about a sheet that are not in its cells, such as links and comments.
 * @param source XML of the sheet, whose end may be missing
 */
export function readSheetFacts({ archive, links, parts }: Workbook, name: string, source: string): SheetFacts {
  const first = source.search(/<(?:[\w.-]+:)?sheetData[\s/>]/);
  const last = source.lastIndexOf('sheetData');
  const head = parseXml(source.slice(0, Math.max(0, first)), 'local').document;
  const tail = parseXml(source.slice(last < 0 ? source.length : source.indexOf('>', last) + 1), 'local').document;
  const relations = readRelations(archive, name);
  return {
    hiddenColumns: hiddenColumns(head),
    merges: descendantsOf(tail, 'mergeCell')
      .slice(0, MERGES_MAX)
      .flatMap(({ attributes }) => areaOf(attributes['ref'])),
    links: descendantsOf(tail, 'hyperlink')
      .slice(0, LINKS_MAX)
      .flatMap(({ attributes }) => {
        const target = relations.get(attributes['r:id'] ?? attributes['id'] ?? '');
        const url = target?.isExternal === true ? links.resolve(target.target) : null;
        return url === null ? [] : areaOf(attributes['ref']).map((area) => ({ ...area, url }));
      }),
    comments: commentsOf(parts, relations),
    textBoxes: textBoxesOf(parts, relations),
  };
}

function hiddenColumns(head: XmlElement): Set<number> {
  const hidden = new Set<number>();
  for (const { attributes } of descendantsOf(head, 'col').slice(0, COLUMNS_MAX)) {
    if (!parseOfficeFlag(attributes['hidden']) && Number(attributes['width'] ?? 1) !== 0) continue;
    const end = Math.min(SHEET_COLUMNS_MAX, Number(attributes['max']) || 0);
    for (let column = Math.max(1, Number(attributes['min']) || 1); column <= end; column += 1) hidden.add(column - 1);
  }
  return hidden;
}

/** Parses a boolean of Office XML, such as `1` or `true`. */
export function parseOfficeFlag(value: string | undefined): boolean {
  return /^(?:1|true|on)$/.test(value ?? '');
}

/** Reads a sheet's comments. If it has threaded ones, its legacy comments are ignored: Excel writes them as copies. */
function commentsOf(parts: SidePartReader, relations: Relations): CellComment[] {
  const ofType = (type: string) => partsOfType(type, parts, relations);
  const threads = ofType('threadedComment').flatMap((root) => descendantsOf(root, 'threadedComment'));
  if (threads.length > 0) {
    return threads
      .slice(0, COMMENTS_MAX)
      .flatMap((comment) => commentAt(comment.attributes['ref'], '', textOf(firstNamedChild(comment, 'text'))));
  }
  return ofType('comments').flatMap((root) => {
    const authors = namedChildren(descendantsOf(root, 'authors')[0], 'author').map((author) => textOf(author).trim());
    return descendantsOf(root, 'comment')
      .slice(0, COMMENTS_MAX)
      .flatMap((comment) => {
        const text = descendantsOf(firstNamedChild(comment, 'text'), 't').map(textOf).join('');
        return commentAt(comment.attributes['ref'], authors[Number(comment.attributes['authorId'])] ?? '', text);
      });
  });
}

/** Reads the shapes with text that float over a sheet (ECMA-376 part 1 §20.5). */
function textBoxesOf(parts: SidePartReader, relations: Relations): TextBox[] {
  return partsOfType('drawing', parts, relations)
    .flatMap((root) => chosen(root, 'twoCellAnchor', 'oneCellAnchor', 'absoluteAnchor'))
    .flatMap((anchor) => {
      const from = firstNamedChild(anchor, 'from');
      const at = (name: string) => Math.trunc(Number(textOf(firstNamedChild(from, name)))) || 0;
      return chosen(anchor, 'sp').flatMap((shape) => {
        const isHidden = parseOfficeFlag(descendantsOf(shape, 'cNvPr')[0]?.attributes['hidden']);
        const paragraphs = namedChildren(firstNamedChild(shape, 'txBody'), 'p');
        const lines = paragraphs.map((paragraph) => descendantsOf(paragraph, 't').map(textOf).join(''));
        const text = decodeEscapes(lines.join(' ')).replace(/\s+/g, ' ').trim();
        return isHidden || text === '' ? [] : [{ row: at('row'), column: at('col'), text }];
      });
    })
    .slice(0, TEXT_BOXES_MAX);
}

/** Returns the descendants with one of these names, without copies for older programs (`Fallback`). */
function chosen(element: XmlElement | undefined, ...names: readonly string[]): XmlElement[] {
  return descendantsOf(element, 'Fallback', ...names).filter(({ name }) => name !== 'Fallback');
}

function partsOfType(type: string, parts: SidePartReader, relations: Relations): (XmlElement | undefined)[] {
  const all = [...relations.values()].filter((relation) => relation.type === type);
  return [...new Set(all.map(({ target }) => target))].map((target) => parts.read(target));
}

function commentAt(cell: string | undefined, author: string, written: string): CellComment[] {
  const text = decodeEscapes(written).replace(/\s+/g, ' ').trim();
  return text === '' ? [] : areaOf(cell).map((area) => ({ ...area, cell: cell ?? '', author, text }));
}

function areaOf(reference: string | undefined): Area[] {
  const [from, to = from] = (reference ?? '').split(':');
  const first = parseCellReference(from);
  const last = parseCellReference(to);
  if (first === null || last === null || last.row < first.row || last.column < first.column) return [];
  return [{ top: first.row, left: first.column, bottom: last.row, right: last.column }];
}

const REFERENCE = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/;

export function parseCellReference(reference: string | undefined): { row: number; column: number } | null {
  const [, letters = '', row] = REFERENCE.exec(reference ?? '') ?? [];
  if (row === undefined) return null;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return { row: Number(row) - 1, column: column - 1 };
}

const ESCAPE = /_x([\dA-Fa-f]{4})_/g;

/** Decodes escapes such as `_x000D_` for characters that XML cannot contain (ECMA-376 part 1 §22.9.2.19). */
export function decodeEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(ESCAPE, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))).toWellFormed();
}

export function hiddenCellsNote({ rows, columns }: { rows: number; columns: number }): string[] {
  const counts = [
    ...(rows === 0 ? [] : [countWithUnit(rows, 'row')]),
    ...(columns === 0 ? [] : [countWithUnit(columns, 'column')]),
  ];
  return counts.length === 0 ? [] : [`Hidden rows and columns were left out: ${counts.join(', ')}.`];
}
