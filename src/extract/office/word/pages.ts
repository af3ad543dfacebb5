/** Divides and shortens the XML of a Word document before mammoth reads it. */

/**
 * Elements with formatting or revision data that Markdown cannot express (ECMA-376 part 1 §17). They are removed,
 * because most elements are of this kind and mammoth takes 15 µs for each.
 */
const LOOKS =
  'rFonts sz szCs color lang spacing kern noProof bCs iCs shd w effect bdr em ind jc keepNext keepLines widowControl contextualSpacing snapToGrid outlineLvl suppressLineNumbers suppressAutoHyphens adjustRightInd autoSpaceDE autoSpaceDN textAlignment mirrorIndents tcW tblW tblInd tblLayout tblLook gridCol vAlign hideMark noWrap trHeight cantSplit cnfStyle top left bottom right insideH insideV start end between bar pgSz pgMar cols docGrid titlePg proofErr bookmarkStart bookmarkEnd lastRenderedPageBreak';
const LOOK = new RegExp(`<w:(?:${LOOKS.replaceAll(' ', '|')})(?:\\s[^<>]*)?/>`, 'g');
const EDITOR_ATTRIBUTES = /\sw(?:14)?:(?:rsid\w*|paraId|textId)="[^"<>]*"/g;
/** Matches elements that are empty without their formatting. Each pass removes one level of nesting. */
const EMPTY = /<w:(rPr|pPr|tcPr|tblPr|trPr|tabs|pBdr|tcBorders|tblBorders|tblCellMar|tcMar|tblGrid)(?:><\/w:\1>|\/>)/g;
const EMPTY_DEPTH = 3;
/** Elements after which a document can be cut. Elements around them are closed there. */
const BOUNDARIES: ReadonlySet<string> = new Set(['p', 'r', 'tr', 'tbl', 'sdt']);

/** Removes formatting and editor data from the XML of a Word document. Linear. */
export function stripWordFormatting(xml: string): string {
  let lean = xml.replace(EDITOR_ATTRIBUTES, '').replace(LOOK, '');
  for (let pass = 0; pass < EMPTY_DEPTH; pass += 1) lean = lean.replace(EMPTY, '');
  return lean;
}

/** Maximum characters of tags opened again in later parts of a document. Real documents need a few KB. */
const REPEATED_CHARS_MAX = 2_000_000;

/**
 * Divides a document into well-formed parts of about `elementsMax` elements, each ending after a paragraph, run or row.
 * Elements that are open there are opened again in the next part, up to `REPEATED_CHARS_MAX`. Linear.
 */
export function divideDocumentXml(xml: string, elementsMax: number): string[] {
  const parts: string[] = [];
  const open: string[] = [];
  let head = '';
  let from = 0;
  let elements = 0;
  let openChars = 0;
  let left = REPEATED_CHARS_MAX;
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', at)) {
    const end = endOfTag(xml, at);
    const isEnd = xml.charAt(at + 1) === '/';
    if (isEnd) {
      const tag = open.pop() ?? '';
      openChars -= tag.length;
      const name = nameAt(tag, 1);
      if (elements > elementsMax && openChars <= left && BOUNDARIES.has(name.slice(name.indexOf(':') + 1))) {
        left -= openChars;
        parts.push(head + xml.slice(from, end) + endTags(open.map((one) => nameAt(one, 1))));
        head = open.join('');
        from = end;
        elements = 0;
      }
    } else if (!/[!?]/.test(xml.charAt(at + 1))) {
      elements += 1;
      if (xml.charAt(end - 2) !== '/') {
        open.push(xml.slice(at, end));
        openChars += end - at;
      }
    }
    at = end;
  }
  const last = xml.slice(from);
  // After the last paragraph, there may be only page layout, which needs no part.
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

type WordBudget = { elements: number; chars: number };

/** Cuts a document to the budget, in a text or after a run or row, as well-formed XML; `null` if nothing fits. */
export function cutDocumentXml(xml: string, budget: WordBudget): { xml: string; cut: boolean } | null {
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

/** Returns the position after the tag, comment or CDATA section at `at`. */
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
