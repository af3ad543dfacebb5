import { describe, expect, it } from 'vitest';
import { column, makePdf } from '#support/make-pdf.ts';
import type { PdfText } from '#support/make-pdf.ts';
import { markdownOf, readBytes } from './support.ts';

/** Prose that gives the page its usual size of text. */
const PROSE = column(['A line of words that gives the page its usual size of text and ends.'], 60, 120);

function textOf(texts: readonly PdfText[]): Promise<string> {
  return markdownOf(readBytes('pdf', makePdf([{ texts: [...texts, ...PROSE] }])));
}

describe('a table without lines whose cells have several lines', () => {
  const COLUMNS = [60, 140, 200, 340];
  const row = (y: number, cells: readonly string[]) =>
    cells.flatMap((text, at) => (text === '' ? [] : [{ x: COLUMNS[at] ?? 0, y, text }]));
  const TEXTS = [
    ...row(700, ['Parameter', 'Type', 'Description', 'Default']),
    ...row(683, ['harbour', 'string', 'Code of the harbour, as', '']),
    ...row(671, ['', '', 'it is listed in the', '']),
    ...row(659, ['', '', 'register. Required.', '']),
    ...row(642, ['days', 'integer', 'Number of days, from 1', '7']),
    ...row(630, ['', '', 'to 30', '']),
    ...row(613, ['unit', 'string', 'Unit of heights: m for', 'm']),
    ...row(601, ['', '', 'metres or ft for feet', '']),
  ];

  it('has each of its rows in one line', async () => {
    const text = await textOf(TEXTS);
    expect(text).toContain('| harbour | string | Code of the harbour, as it is listed in the register. Required. |  |');
    expect(text).toContain('| days | integer | Number of days, from 1 to 30 | 7 |');
    expect(text).toContain('| unit | string | Unit of heights: m for metres or ft for feet | m |');
  });

  it('ends before the paragraph after it', async () => {
    const text = await textOf([...TEXTS, ...column(['Figures that are missing had not been reported.'], 60, 584)]);
    expect(text).toMatch(/for feet \| m \|\n\nFigures that are missing/);
  });

  it('has a row of which only one cell is filled', async () => {
    const text = await textOf([
      ...row(700, ['Country', 'City', 'Inhabitants', '']),
      ...row(683, ['Norland', 'Alder', '48,200', '']),
      ...row(666, ['', 'Haven', '112,000', '']),
      ...row(649, ['Suderia', 'Cairn', '31,400', '']),
      ...row(632, ['', 'Mouth', '', '']),
    ]);
    expect(text).toContain('| Suderia | Cairn | 31,400 |\n|  | Mouth |  |');
  });

  it('ends before a note below one of its columns', async () => {
    const text = await textOf([
      ...row(700, ['Gate', 'Width', 'Cost']),
      ...row(687, ['Cedar', '641', '877']),
      ...row(674, ['Maple', '558', '703']),
      ...row(661, ['Birch', '526', '479']),
      ...row(648, ['', 'in cm']),
      ...row(635, ['', 'at ebb']),
    ]);
    expect(text).toMatch(/\| Birch \| 526 \| 479 \|\n\nin cm at ebb/);
  });

  it('is not made of labels by a caption below the last of them', async () => {
    const text = await textOf([
      ...column(['Pump', '12 bar', '3 kW'], 60, 700),
      ...column(['Valve', 'open', 'steel'], 200, 700),
      ...column(['Tank', 'full', '12 l', 'Figure 2', 'The new parts', 'of the engine'], 340, 700),
    ]);
    expect(text).not.toContain('|');
  });
});
