import { describe, expect, it } from 'vitest';
import { read } from './support.ts';

const DESCRIPTION =
  'A forum of people who keep lamps alight along the coast, and of those who want to learn it from them, step by step.';
const HEAD = `<title>Lamps</title><meta name="description" content="${DESCRIPTION}">`;

describe('a page read whole', () => {
  it('is represented by its own description if it is empty without scripts, and a note reports this', async () => {
    const { lines, cuts } = await read('html', `${HEAD}<div id="app"></div><script></script>`, 'raw');
    expect(lines).toEqual(['# Lamps', '', DESCRIPTION]);
    expect(cuts).toEqual([
      'The page builds its content with scripts. The text below is only the description that the page gives of itself.',
    ]);
  });

  it('is represented by its own description if it is empty and has no scripts, and a note reports this', async () => {
    const { lines, cuts } = await read('html', `${HEAD}<div></div>`, 'raw');
    expect(lines).toEqual(['# Lamps', '', DESCRIPTION]);
    expect(cuts).toEqual([
      'The page shows no text. The text below is only the description that the page gives of itself.',
    ]);
  });

  it('shows its text, however little', async () => {
    const { lines, cuts } = await read('html', `${HEAD}<p>Closed today.</p>`, 'raw');
    expect(lines).toEqual(['Closed today.']);
    expect(cuts).toEqual([]);
  });

  it('shows its pictures when it has nothing else', async () => {
    const { lines } = await read('html', `${HEAD}<img src="/a.png" alt="A lamp">`, 'raw');
    expect(lines).toEqual(['![A lamp](https://docs.example/a.png)']);
  });
});

describe('a table of ARIA roles', () => {
  it('repeats a cell in all of its rows and columns', async () => {
    const row = (...cells: string[]) => `<div role="row">${cells.join('')}</div>`;
    const cell = (text: string, more = '') => `<span role="cell" ${more}>${text}</span>`;
    const head = (text: string, more = '') => `<span role="columnheader" ${more}>${text}</span>`;
    const { lines } = await read(
      'html',
      `<div role="table">${row(head('Plan'), head('Price', 'aria-colspan="2"'))}${row(cell('Basic', 'aria-rowspan="2"'), cell('5'), cell('50'))}${row(cell('6'), cell('60'))}</div>`,
      'raw',
    );
    expect(lines).toEqual([
      '| Plan | Price | Price |',
      '| --- | --- | --- |',
      '| Basic | 5 | 50 |',
      '| Basic | 6 | 60 |',
    ]);
  });
});
