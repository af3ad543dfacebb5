import { compare } from './standing.ts';
import type { MeasuredRow } from './rows.ts';

const WIDTH = 720;
const LABEL_WIDTH = 330;
const ROW_HEIGHT = 20;
const TOP = 44;
const MARGIN = 16;
/** The scale ends at eight times as good and an eighth as good; values beyond it are drawn at the end. */
const DOUBLINGS = 3;
const COLOURS = { ahead: '#1a7f37', level: '#6e7781', behind: '#cf222e' } as const;

/** Draws one dot for each row with a rival: how many times as good Periscope is as the best of them. */
export function chart(rows: readonly MeasuredRow[]): string {
  const dots = rows.flatMap((row) => {
    const compared = compare(row);
    return compared === null ? [] : [{ row, compared }];
  });
  const height = TOP + dots.length * ROW_HEIGHT + MARGIN;
  const middle = xOf(0);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="12">`,
    `  <rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    ...[-3, -2, -1, 0, 1, 2, 3].map((power) => tick(power, height)),
    `  <text x="${middle - 8}" y="16" text-anchor="end" fill="${COLOURS.behind}">a rival is better</text>`,
    `  <text x="${middle + 8}" y="16" fill="${COLOURS.ahead}">Periscope is better</text>`,
    ...dots.flatMap(({ row, compared }, at) => {
      const y = TOP + at * ROW_HEIGHT + ROW_HEIGHT / 2;
      const x = xOf(doublings(compared.own, compared.best.value, row.better));
      const colour = COLOURS[compared.standing];
      return [
        `  <text x="${LABEL_WIDTH - MARGIN}" y="${y + 4}" text-anchor="end" fill="#1f2328">${escaped(row.what)}</text>`,
        `  <line x1="${middle}" y1="${y}" x2="${x}" y2="${y}" stroke="${colour}" stroke-width="2"/>`,
        `  <circle cx="${x}" cy="${y}" r="5" fill="${compared.isWithinInterval ? '#ffffff' : colour}" stroke="${colour}" stroke-width="2"/>`,
      ];
    }),
    '</svg>',
    '',
  ].join('\n');
}

function tick(power: number, height: number): string {
  const x = xOf(power);
  const label = power < 0 ? `1/${2 ** -power}` : `${2 ** power}×`;
  return [
    `  <line x1="${x}" y1="${TOP - 6}" x2="${x}" y2="${height - MARGIN / 2}" stroke="${power === 0 ? '#1f2328' : '#d0d7de'}"/>`,
    `  <text x="${x}" y="${TOP - 12}" text-anchor="middle" fill="#59636e">${label}</text>`,
  ].join('\n');
}

/** The base-2 logarithm of the ratio to the other value: positive where Periscope is better. */
function doublings(own: number, best: number, better: 'high' | 'low'): number {
  if (own === best) return 0;
  const ratio = better === 'high' ? Math.log2(own / best) : Math.log2(best / own);
  return Math.max(-DOUBLINGS, Math.min(DOUBLINGS, ratio));
}

function xOf(power: number): number {
  const span = WIDTH - LABEL_WIDTH - 2 * MARGIN;
  return Math.round(LABEL_WIDTH + MARGIN + (span * (power + DOUBLINGS)) / (2 * DOUBLINGS));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('`', '');
}
