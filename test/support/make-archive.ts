import { strToU8, zipSync } from 'fflate';
import type { Zippable } from 'fflate';

export function makeZip(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const entries = Object.entries(files).map(([name, body]): [string, Zippable[string]] => {
    const bytes = typeof body === 'string' ? strToU8(body) : body;
    // The media type is stored uncompressed, so that it can be read without unpacking.
    return [name, name === 'mimetype' ? [bytes, { level: 0 }] : bytes];
  });
  return zipSync(Object.fromEntries(entries), { level: 6 });
}

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types';
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

export function relations(...rows: readonly (readonly [id: string, type: string, target: string])[]): string {
  const list = rows.map(
    ([id, type, target]) =>
      `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"${target.includes('://') ? ' TargetMode="External"' : ''}/>`,
  );
  return `<Relationships xmlns="${RELATIONS}">${list.join('')}</Relationships>`;
}

export function coreProperties(title: string): string {
  return `<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>${title}</dc:title></cp:coreProperties>`;
}

/** A Word document around the body's XML. */
export function makeDocx(body: string, more: Readonly<Record<string, string | Uint8Array>> = {}): Uint8Array {
  const style = (id: string, name: string) =>
    `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/></w:style>`;
  return makeZip({
    '[Content_Types].xml': `<Types xmlns="${TYPES}"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': relations(['r1', 'officeDocument', 'word/document.xml']),
    'word/_rels/document.xml.rels': relations(
      ['s', 'styles', 'styles.xml'],
      ['n', 'numbering', 'numbering.xml'],
      ['link', 'hyperlink', 'https://lamps.example/a'],
    ),
    'word/styles.xml': `<w:styles xmlns:w="${WORD}">${style('H1', 'heading 1')}${style('H2', 'heading 2')}</w:styles>`,
    'word/numbering.xml': `<w:numbering xmlns:w="${WORD}"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
    'word/document.xml': `<w:document xmlns:w="${WORD}" xmlns:r="${OFFICE}"><w:body>${body}</w:body></w:document>`,
    ...more,
  });
}

export function wordParagraph(text: string, properties = '', run = ''): string {
  return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:rPr>${run}</w:rPr><w:t>${text}</w:t></w:r></w:p>`;
}

type Book = { chapters: readonly string[]; more?: Readonly<Record<string, string | Uint8Array>> };

export function makeEpub({ chapters, more = {} }: Book): Uint8Array {
  const items = chapters.map(
    (_, index) => `<item id="c${index}" href="text/c%20${index}.xhtml" media-type="application/xhtml+xml"/>`,
  );
  const refs = chapters.map((_, index) => `<itemref idref="c${index}"/>`);
  return makeZip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'OPS/book.opf': `<package><metadata xmlns:dc="d"><dc:title>The Lamp Book</dc:title><dc:creator>Ann Keeper</dc:creator><dc:language>en</dc:language></metadata><manifest>${items.join('')}<item id="i" href="i.png" media-type="image/png"/></manifest><spine>${refs.join('')}<itemref idref="i"/></spine></package>`,
    ...Object.fromEntries(
      chapters.map((body, index) => [
        `OPS/text/c ${index}.xhtml`,
        `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body>${body}</body></html>`,
      ]),
    ),
    ...more,
  });
}

/** `before` and `after`: XML around the cells. */
type Sheet = { name: string; rows: string; state?: string; before?: string; after?: string };

/** An Excel workbook: `rows` is XML of `<row>` elements; style 1 shows a date, 2 has the format `code`. */
export function makeXlsx(
  sheets: readonly Sheet[],
  shared: readonly string[] = [],
  code = 'hh:mm',
  more: Readonly<Record<string, string>> = {},
): Uint8Array {
  const format = code.replaceAll('"', '&quot;');
  const list = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${name}" sheetId="${index}" ${state === undefined ? '' : `state="${state}" `}r:id="s${index}"/>`,
  );
  return makeZip({
    '[Content_Types].xml': `<Types xmlns="${TYPES}"/>`,
    'xl/workbook.xml': `<workbook xmlns:r="${OFFICE}"><sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      ...sheets.map((_, index) => [`s${index}`, 'worksheet', `worksheets/sheet${index}.xml`] as const),
    ),
    'xl/sharedStrings.xml': `<sst>${shared.map((text) => `<si>${text}</si>`).join('')}</sst>`,
    'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${format}"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      sheets.map(({ rows, before = '', after = '' }, index) => [
        `xl/worksheets/sheet${index}.xml`,
        `<worksheet>${before}<sheetData>${rows}</sheetData>${after}</worksheet>`,
      ]),
    ),
    ...more,
  });
}

/** A presentation: each slide is the XML of its shapes. */
export function makePptx(slides: readonly string[], more: Readonly<Record<string, string>> = {}): Uint8Array {
  return makeZip({
    '[Content_Types].xml': `<Types xmlns="${TYPES}"/>`,
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${slides.map((_, index) => `<p:sldId r:id="s${index}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      ...slides.map((_, index) => [`s${index}`, 'slide', `slides/slide${index}.xml`] as const),
    ),
    ...Object.fromEntries(
      slides.map((shapes, index) => [
        `ppt/slides/slide${index}.xml`,
        `<p:sld><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
      ]),
    ),
    ...more,
  });
}

/** A shape of a slide; `placeholder` is the XML of its `<p:ph>`, and paragraphs are XML of `<a:p>`. */
export function slideShape(placeholder: string, ...paragraphs: readonly string[]): string {
  return `<p:sp><p:nvSpPr><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs.join('')}</p:txBody></p:sp>`;
}

export function slideText(text: string, properties = ''): string {
  return `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`;
}

type OpenDocument = {
  /** XML of its styles. */
  styles?: string;
  /** XML of `styles.xml`. */
  named?: string;
  more?: Readonly<Record<string, string>>;
};

/** An OpenDocument file around the XML of its content. */
function makeOdf(
  kind: 'text' | 'spreadsheet' | 'presentation',
  content: string,
  { styles = '', named = '', more = {} }: OpenDocument,
): Uint8Array {
  return makeZip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${content}</office:${kind}></office:body></office:document-content>`,
    'styles.xml': `<office:document-styles>${named}</office:document-styles>`,
    ...more,
  });
}

export function makeOdt(text: string, more: OpenDocument = {}): Uint8Array {
  return makeOdf('text', text, more);
}

export function makeOds(tables: string, more: OpenDocument = {}): Uint8Array {
  return makeOdf('spreadsheet', tables, more);
}

export function makeOdp(pages: string, more: OpenDocument = {}): Uint8Array {
  return makeOdf('presentation', pages, more);
}
