import { countWithUnit } from '#core/text/text.ts';
import { FILE_MARKDOWN_CHARS_MAX, OFFICE_XML_BYTES_MAX } from '#extract/limits.ts';
import { runWithPauses, noPause } from '#core/flow/turns.ts';
import { WORK_CHARS_PER_PAUSE, MIB } from '#core/limits.ts';
import { openArchive } from '#extract/archive.ts';
import type { Archive } from '#extract/archive.ts';
import { toExtracted, failUnreadableFile } from '#extract/extractor.ts';
import { escapeInline, PLAIN_CONTEXT } from '#extract/escape.ts';
import type { ExtractInput, ExtractedText, Extractor } from '#extract/extractor.ts';
import { appendLines } from '#extract/html-in-files.ts';
import { LinkResolver } from '#extract/html/markdown/urls.ts';
import { writeSheetTable } from '#extract/csv-extractor.ts';
import { descendantsOf } from '#extract/xml/tree.ts';
import type { XmlElement } from '#extract/xml/tree.ts';
import {
  readFileTitle,
  findMainPartName,
  readPackagePart,
  readRelations,
  SidePartReader,
  useReferencePrefix,
} from './package.ts';
import { CellFormats } from './number-format.ts';
import { hiddenCellsNote, parseOfficeFlag, readSheetFacts } from './sheet-facts.ts';
import { readWorksheet, sharedStrings } from './worksheet.ts';
import type { SheetValueSources, Worksheet } from './worksheet.ts';

/** Maximum bytes of XML in all sheets of a workbook, at up to 90 ns each: enough for 190,000 cells. */
const SHEETS_XML_BYTES_MAX = 9 * MIB;

/** Extracts Excel workbooks: each visible sheet as a table, with values as Excel displays them. */
export const xlsxExtractor: Extractor = { id: 'xlsx', version: '8', extract: extractXlsx };

async function extractXlsx(input: ExtractInput): Promise<ExtractedText> {
  const { pause = noPause } = input;
  const archive = openArchive(input);
  const name = findMainPartName(archive, 'xl/workbook.xml');
  const workbook = readPackagePart(archive, name);
  if (workbook === undefined) return failUnreadableFile(input, 'the workbook is broken');
  const relations = readRelations(archive, name);
  const { values, isCut } = await valuesOf(archive, workbook.root, relations, input);
  const parts = new SidePartReader(archive);
  const read = new Set<string>();
  const markdown: string[] = [];
  const cuts = new Set<string>();
  const hidden = { rows: 0, columns: 0 };
  let chars = 0;
  let left = SHEETS_XML_BYTES_MAX;
  let unpaused = 0;
  if (isCut) cuts.add('The workbook has too many texts: some cells are empty here.');
  for (const { attributes } of descendantsOf(workbook.root, 'sheet')) {
    if ((attributes['state'] ?? 'visible') !== 'visible') {
      cuts.add('Hidden sheets were left out.');
      continue;
    }
    const target = relations.get(attributes['r:id'] ?? attributes['id'] ?? '')?.target ?? '';
    // A valid workbook lists each sheet once, and a hostile one could list it any number of times.
    if (read.has(target)) continue;
    read.add(target);
    if (chars > FILE_MARKDOWN_CHARS_MAX || left <= 0) {
      cuts.add('The workbook is too large: the last of its sheets were left out.');
      break;
    }
    const source = useReferencePrefix(archive.text(target, left) ?? '');
    const facts = readSheetFacts({ archive, links: values.links, parts }, target, source);
    const sheet = await runWithPauses(readWorksheet(source, facts, values), pause);
    if (sheet.cut || archive.size(target) > left) cuts.add('A sheet has too many cells: the rest were left out.');
    if (sheet.hasFormulas) cuts.add('Formulas without a stored value are shown as formulas.');
    hidden.rows += sheet.hiddenRows;
    hidden.columns += sheet.hiddenColumns;
    left -= archive.size(target);
    // Counted across sheets, because many small sheets also need pauses.
    unpaused += source.length;
    if (unpaused > WORK_CHARS_PER_PAUSE) {
      await pause();
      unpaused = 0;
    }
    if (sheet.rows.length === 0 && sheet.textBoxes.length === 0) continue;
    const table = await runWithPauses(writeSheetTable(sheet.rows, sheet.written), pause);
    for (const line of table) chars += line.length;
    markdown.push(`## ${escapeInline(attributes['name'] ?? '', PLAIN_CONTEXT)}`, '');
    appendLines(markdown, linesOf(table, sheet));
  }
  if (markdown.length === 0) return failUnreadableFile(input, 'the workbook shows no cells');
  return toExtracted(
    xlsxExtractor,
    {
      title: readFileTitle(archive),
      markdown,
      cuts: [...cuts, ...parts.notes, ...hiddenCellsNote(hidden), ...formatNotes(values.formats)],
      strategy: 'sheets',
    },
    input,
  );
}

/** Reads the strings and formats that cells refer to. `isCut` is true if some strings are missing. */
async function valuesOf(
  archive: Archive,
  workbook: XmlElement,
  relations: ReturnType<typeof readRelations>,
  { url, pause = noPause }: ExtractInput,
): Promise<{ values: SheetValueSources; isCut: boolean }> {
  const partOf = (type: string, usual: string) =>
    [...relations.values()].find((relation) => relation.type === type)?.target ?? usual;
  const sharedName = partOf('sharedStrings', 'xl/sharedStrings.xml');
  const from1904 = parseOfficeFlag(descendantsOf(workbook, 'workbookPr')[0]?.attributes['date1904']);
  const values: SheetValueSources = {
    shared: await runWithPauses(sharedStrings(archive.text(sharedName, OFFICE_XML_BYTES_MAX) ?? ''), pause),
    formats: new CellFormats(readPackagePart(archive, partOf('styles', 'xl/styles.xml'))?.root, from1904),
    links: new LinkResolver(url),
  };
  return { values, isCut: archive.size(sharedName) > OFFICE_XML_BYTES_MAX };
}

function linesOf(table: readonly string[], { textBoxes, comments }: Worksheet): string[] {
  const cells = table.length === 0 ? [] : [...table, ''];
  return [...cells, ...listOf('Text boxes:', textBoxes), ...listOf('Comments:', comments)];
}

function listOf(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [title, '', ...items, ''];
}

function formatNotes(formats: CellFormats): string[] {
  const notes: string[] = [];
  if (formats.hidden > 0)
    notes.push(`${countWithUnit(formats.hidden, 'value')} that the number format hides: left out.`);
  if (formats.isWorkedOut)
    notes.push('The workbook has too many number formats or formatted values: some values are unformatted.');
  return notes;
}
