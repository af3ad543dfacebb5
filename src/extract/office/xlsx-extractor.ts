import { FILE_CHARS_MAX, OFFICE_XML_BYTES_MAX, SHEETS_XML_BYTES_MAX } from '#extract/limits.ts';
import { inShares, noPause } from '#core/flow/turns.ts';
import { openArchive } from '#extract/archive.ts';
import { toExtracted, failUnreadable } from '#extract/extractor.ts';
import { escapeInline } from '#extract/escape.ts';
import type { ExtractInput, Extracted, Extractor } from '#extract/extractor.ts';
import { appendLines } from '#extract/html-in-files.ts';
import { Links } from '#extract/html/markdown/urls.ts';
import { sheetTable } from '#extract/csv-extractor.ts';
import { descendantsOf } from '#extract/xml/tree.ts';
import { coreTitle, mainPart, readPart, relationsOf, withUsualReferences } from './package.ts';
import { CellFormats } from './number-format.ts';
import { counted, hiddenCellsNote, isOn, readSheetFacts } from './sheet-facts.ts';
import { readWorksheet, sharedStrings } from './worksheet.ts';
import type { SheetValues, Worksheet } from './worksheet.ts';

/** Excel workbooks: every visible sheet as a table that shows what Excel shows. */
export const xlsxExtractor: Extractor = { id: 'xlsx', version: '5', extract: extractXlsx };

async function extractXlsx(input: ExtractInput): Promise<Extracted> {
  const { pause = noPause } = input;
  const archive = openArchive(input);
  const name = mainPart(archive, 'xl/workbook.xml');
  const workbook = readPart(archive, name);
  if (workbook === undefined) return failUnreadable(input, 'the workbook is broken');
  const relations = relationsOf(archive, name);
  const partOf = (type: string, usual: string) =>
    [...relations.values()].find((relation) => relation.type === type)?.target ?? usual;
  const sharedName = partOf('sharedStrings', 'xl/sharedStrings.xml');
  const from1904 = isOn(descendantsOf(workbook.root, 'workbookPr')[0]?.attributes['date1904']);
  const values: SheetValues = {
    shared: await inShares(sharedStrings(archive.text(sharedName, OFFICE_XML_BYTES_MAX) ?? ''), pause),
    formats: new CellFormats(readPart(archive, partOf('styles', 'xl/styles.xml'))?.root, from1904),
    links: new Links(input.url),
  };
  const markdown: string[] = [];
  const cuts = new Set<string>();
  const hidden = { rows: 0, columns: 0 };
  let chars = 0;
  let left = SHEETS_XML_BYTES_MAX;
  if (archive.size(sharedName) > OFFICE_XML_BYTES_MAX)
    cuts.add('The workbook has too many texts: some cells are empty here.');
  for (const { attributes } of descendantsOf(workbook.root, 'sheet')) {
    if ((attributes['state'] ?? 'visible') !== 'visible') {
      cuts.add('Hidden sheets were left out.');
      continue;
    }
    const target = relations.get(attributes['r:id'] ?? attributes['id'] ?? '')?.target ?? '';
    if (chars > FILE_CHARS_MAX || left <= 0) {
      cuts.add('The workbook is too large: the last of its sheets were left out.');
      break;
    }
    const source = withUsualReferences(archive.text(target, left) ?? '');
    const facts = readSheetFacts(archive, target, source, values.links);
    const sheet = await inShares(readWorksheet(source, facts, values), pause);
    if (sheet.cut || archive.size(target) > left) cuts.add('A sheet has too many cells: the rest were left out.');
    if (sheet.hasFormulas) cuts.add('Formulas without a stored value are shown as formulas.');
    hidden.rows += sheet.hiddenRows;
    hidden.columns += sheet.hiddenColumns;
    left -= archive.size(target);
    if (sheet.rows.length === 0) continue;
    const table = await inShares(sheetTable(sheet.rows, sheet.written), pause);
    for (const line of table) chars += line.length;
    markdown.push(`## ${escapeInline(attributes['name'] ?? '', { inLink: false, inCell: false })}`, '');
    appendLines(markdown, [...table, '', ...commentLines(sheet)]);
  }
  if (markdown.length === 0) return failUnreadable(input, 'the workbook shows no cells');
  return toExtracted(
    xlsxExtractor,
    {
      title: coreTitle(archive),
      markdown,
      cuts: [...cuts, ...hiddenCellsNote(hidden), ...formatNotes(values.formats)],
      strategy: 'sheets',
    },
    input,
  );
}

function commentLines({ comments }: Worksheet): string[] {
  return comments.length === 0 ? [] : ['Comments:', '', ...comments, ''];
}

function formatNotes(formats: CellFormats): string[] {
  const notes: string[] = [];
  if (formats.hidden > 0) notes.push(`${counted(formats.hidden, 'value')} that the number format hides: left out.`);
  if (formats.isWorkedOut) notes.push('The workbook has too many formatted numbers: the last of them are unformatted.');
  return notes;
}
