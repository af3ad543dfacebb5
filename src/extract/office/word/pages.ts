/** Divides and shortens the XML of a Word document before it is read. */

/**
 * Elements of Word's XML (ECMA-376 part 1 §17) that describe formatting, or who typed the text and when. Markdown
 * cannot show them. Most elements of a document are of this kind, and its reader takes about 15 µs for each.
 */
const LOOKS =
  'rFonts sz szCs color lang spacing kern noProof bCs iCs shd w position effect bdr em ind jc keepNext keepLines widowControl contextualSpacing snapToGrid outlineLvl suppressLineNumbers suppressAutoHyphens adjustRightInd autoSpaceDE autoSpaceDN textAlignment mirrorIndents tcW tblW tblInd tblLayout tblLook gridCol vAlign hideMark noWrap trHeight cantSplit cnfStyle top left bottom right insideH insideV start end between bar pgSz pgMar cols docGrid titlePg proofErr bookmarkStart bookmarkEnd lastRenderedPageBreak';
const LOOK = new RegExp(`<w:(?:${LOOKS.replaceAll(' ', '|')})(?:\\s[^<>]*)?/>`, 'g');
const EDITOR_ATTRIBUTES = /\sw(?:14)?:(?:rsid\w*|paraId|textId)="[^"<>]*"/g;
/** Elements that are empty once the formatting is removed, from the inside out. */
const EMPTY = /<w:(rPr|pPr|tcPr|tblPr|trPr|tabs|pBdr|tcBorders|tblBorders|tblCellMar|tcMar|tblGrid)(?:><\/w:\1>|\/>)/g;
const EMPTY_DEPTH = 3;
/** A document can be cut after these end tags; whatever is still open is then closed. */
const BOUNDARIES: ReadonlySet<string> = new Set(['p', 'r', 'tr', 'tbl', 'sdt']);

/** The same document without its formatting. Linear. */
export function withoutFormatting(xml: string): string {
  let lean = xml.replace(EDITOR_ATTRIBUTES, '').replace(LOOK, '');
  for (let pass = 0; pass < EMPTY_DEPTH; pass += 1) lean = lean.replace(EMPTY, '');
  return lean;
}

/**
 * Divides the document into well-formed parts of about `elementsMax` elements. A part ends after a paragraph, run or
 * row; what is open there is closed and opened again. Linear.
 */
export function divided(xml: string, elementsMax: number): string[] {
  const parts: string[] = [];
  const open: string[] = [];
  let head = '';
  let from = 0;
  let elements = 0;
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at)) {
    const end = endOfTag(xml, at);
    const isEnd = xml.charAt(at + 1) === '/';
    if (isEnd) {
      const name = nameAt(open.pop() ?? '', 1);
      if (elements > elementsMax && BOUNDARIES.has(name.slice(name.indexOf(':') + 1))) {
        parts.push(head + xml.slice(from, end) + endTags(open.map((tag) => nameAt(tag, 1))));
        head = open.join('');
        from = end;
        elements = 0;
      }
    } else if (!/[!?]/.test(xml.charAt(at + 1))) {
      elements += 1;
      if (xml.charAt(end - 2) !== '/') open.push(xml.slice(at, end));
    }
    at = end;
  }
  const last = xml.slice(from);
  // After the last paragraph comes the layout of the pages.
  if (parts.length === 0 || TEXT.test(last)) parts.push(head + last);
  return parts;
}

const TEXT = /<(?:\w+:)?t[\s>]/;

function endTags(names: readonly string[]): string {
  return names
    .toReversed()
    .map((name) => `</${name}>`)
    .join('');
}

/** The budget left for a document. */
export type WordBudget = { elements: number; chars: number };

/**
 * The beginning of the document that fits the budget, well-formed and cut inside a text or after a run or row; `null`
 * if nothing fits. What is kept is subtracted from the budget.
 */
export function withinBudget(xml: string, budget: WordBudget): { xml: string; cut: boolean } | null {
  const open: string[] = [];
  let elements = 0;
  let textStart = 0;
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at)) {
    if (at > budget.chars && open.length > 0)
      return ended(wholeText(xml, textStart, budget.chars), open, elements, budget);
    const end = endOfTag(xml, at);
    textStart = end;
    const isEnd = xml.charAt(at + 1) === '/';
    if (isEnd) {
      const name = open.pop() ?? '';
      const isBoundary = BOUNDARIES.has(name.slice(name.indexOf(':') + 1));
      if (elements > budget.elements && isBoundary) return ended(xml.slice(0, end), open, elements, budget);
    } else if (!/[!?]/.test(xml.charAt(at + 1))) {
      elements += 1;
      if (xml.charAt(end - 2) !== '/') open.push(nameAt(xml, at + 1));
    }
    at = end;
  }
  if (elements > budget.elements || xml.length > budget.chars) return null;
  spend(budget, elements, xml.length);
  return { xml, cut: false };
}

function ended(kept: string, open: readonly string[], elements: number, budget: WordBudget) {
  spend(budget, elements, kept.length);
  return { xml: kept + endTags(open), cut: true };
}

/** The text from `start` to `end`, without half a character reference. */
function wholeText(xml: string, start: number, end: number): string {
  return (
    xml.slice(0, start) +
    xml
      .slice(start, Math.max(start, end))
      .replace(/&[^;&]{0,10}$/, '')
      .toWellFormed()
  );
}

function spend(budget: WordBudget, elements: number, chars: number): void {
  budget.elements = Math.max(0, budget.elements - elements);
  budget.chars = Math.max(0, budget.chars - chars);
}

/** The position after the tag, comment or CDATA section that begins at `at`. */
function endOfTag(xml: string, at: number): number {
  const [mark, closing] = xml.startsWith('<!--', at)
    ? ['<!--', '-->']
    : xml.startsWith('<![CDATA[', at)
      ? ['<![CDATA[', ']]>']
      : ['<', '>'];
  const end = xml.indexOf(closing, at + mark.length);
  return end < 0 ? xml.length : end + closing.length;
}

function nameAt(xml: string, at: number): string {
  let end = at;
  while (end < xml.length && !/[\s/>]/.test(xml.charAt(end))) end += 1;
  return xml.slice(at, end);
}
