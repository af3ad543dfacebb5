import { describe, expect, it } from 'vitest';
import { comparePageScans } from '#browsing/view/changes/compare-looks.ts';
import { writeViewChanges } from '#browsing/view/changes/write-changes.ts';
import { createShownElement } from '#browsing/view/view-line.ts';
import type { ViewLine } from '#browsing/view/view-line.ts';
import type { PageScan } from '#browsing/view/view.ts';

const ROOM = { maxChars: 700, wholeCharsMax: 3_000, viewCharsMax: 3_200 };

/** A line written as in a report: `## Heading`, `@e1 button "Edit"`, `@e2 clickable (class "on")`, or text. */
function line(words: string): ViewLine {
  const depth = words.length - words.trimStart().length;
  const [, ref, role = '', name = '', hint] =
    /^(@e\d+) (\w+)(?: (".*"))?(?: (\(class .*\)))?$/u.exec(words.trim()) ?? [];
  if (ref === undefined) return { depth, kind: words.startsWith('#') ? 'heading' : 'text', parts: [words.trim()] };
  const details = hint === undefined ? [] : [hint];
  return { depth, kind: 'element', parts: [{ ...createShownElement(ref, role, name), details }] };
}

function look(lines: readonly string[]): PageScan {
  return { generation: 'one', loaderId: 'one', lines: lines.map(line) };
}

function report(before: readonly string[], after: readonly string[], at: string | null = null) {
  return compare(look(before), look(after), at);
}

function reportLines(before: readonly ViewLine[], after: readonly ViewLine[]) {
  return compare({ ...look([]), lines: before }, { ...look([]), lines: after }, null).lines;
}

function compare(before: PageScan, after: PageScan, at: string | null) {
  const compared = comparePageScans(before, after, { own: new Set(), at, still: new Set() });
  if (compared === null) throw new Error('the looks have nothing in common');
  return writeViewChanges(compared, ROOM, new Set()).changes;
}

const plus = (lines: readonly string[]) => lines.map((words) => `+ ${words}`);

let refs = 100;
const button = (name: string) => `@e${(refs += 1)} button "${name}"`;
const toggle = (name: string) => `@e${(refs += 1)} clickable (class "${name}")`;

const BERTHS = ['Kestrel', 'Osprey', 'Heron', 'Curlew', 'Plover'];

/** The rows of a list of boats. */
const berths = (names = BERTHS) =>
  names.flatMap((name, at) => [
    name,
    'Paid each month',
    `Berth ${at} since May`,
    `Length: ${at + 7} m`,
    button('Open'),
  ]);

describe('a new block', () => {
  const nav = ['@e1 link "Berths"', '@e2 link "Requests"'];

  it('has every line of its cards, also those that the page had in another list before', () => {
    const cards = ['Heron', 'Kestrel', 'Plover', 'Osprey'].flatMap((name, at) => [
      `RENEWAL PENDING, May ${at + 2}`,
      name,
      `Harbour master ${at}`,
      `Asked for ${at + 1} years`,
      button('Approve'),
      button('Deny'),
    ]);
    const { lines, moved } = report([...nav, '## Berths', ...berths()], [...nav, '## Requests', ...cards]);
    expect(lines.filter((words) => words.startsWith('+'))).toEqual(plus(['## Requests', ...cards]));
    expect(moved).toBe(0);
  });

  it('has the buttons of a dialog that the dialog before it had too, but not those of a dialog that stays', () => {
    const dialog = (node: number, title: string, fields: readonly string[]): ViewLine[] =>
      [`## ${title}`, ...fields, button('Cancel'), button('Withdraw')].map((words) => ({
        ...line(words),
        over: { node, isLive: false, isAlert: false },
      }));
    const page = ['# Savings', '@e1 button "Deposit"'].map(line);
    const first = dialog(1, 'From savings', ['Savings balance: 12 kr', '@e2 textbox "Withdrawal amount"']);
    const next = dialog(2, 'To the bank', [
      'Balance: 4 kr',
      '@e3 textbox "Amount"',
      'To account',
      '@e4 clickable "Main"',
    ]);
    const signs = (lines: readonly ViewLine[]) =>
      reportLines([...page, ...first], [...page, ...lines]).filter((words) => !words.startsWith('-'));
    expect(signs(next)).toHaveLength(next.length);
    expect(signs(next).filter((words) => /button/u.test(words))).toHaveLength(2);
    const again = dialog(3, 'From savings', ['Savings balance: 11 kr', '@e5 textbox "Withdrawal amount"']);
    expect(signs(again)).toEqual(['+ Savings balance: 11 kr']);
  });

  it('has them if its cards are in the order of the earlier list and begin alike', () => {
    const cards = ['Kestrel', 'Avocet', 'Osprey', 'Heron', 'Plover'].flatMap((name, at) => [
      name,
      'Paid each month',
      `Qty: ${at} | Days: 30`,
      toggle('outline'),
      toggle('danger'),
    ]);
    const { lines } = report([...nav, '## Berths', ...berths()], [...nav, '### Templates', ...cards]);
    expect(lines.filter((words) => words.startsWith('+'))).toEqual(plus(['### Templates', ...cards]));
  });

  it('has the sender of a message that came between messages', () => {
    const mail = (sender: string, about: string) => [sender, `Re: ${about}`, `Dear harbour, about the ${about}`];
    const before = [...mail('Ann', 'crane'), ...mail('Bob', 'slip'), ...mail('Cem', 'ropes')];
    const after = [...mail('Cem', 'tides'), ...mail('Ann', 'buoys'), ...mail('Dora', 'nets')];
    expect(report(before, after).lines.filter((words) => words.startsWith('+'))).toEqual(plus(after));
  });

  it('has the name of a card that changed its section', () => {
    const card = (state: string, name: string, buttons: string[]) => [state, name, `Asked for ${name}`, ...buttons];
    const buttons = () => [button('Approve'), button('Deny')];
    const open = (names: string[]) =>
      names.flatMap((name) => card(`PENDING since ${name.length} days`, name, buttons()));
    const before = ['Open (3)', ...open(['Heron', 'Kestrel', 'Knot']), 'Done (1)', ...card('DENIED', 'Avocet', [])];
    const after = [
      'Open (2)',
      ...open(['Heron', 'Knot']),
      'Done (2)',
      'APPROVED today',
      'Kestrel',
      'Asked for Kestrel',
      'By you',
      ...card('DENIED', 'Avocet', []),
    ];
    expect(report(before, after).lines).toEqual(
      expect.arrayContaining(plus(['APPROVED today', 'Kestrel', 'Asked for Kestrel', 'By you'])),
    );
  });
});

describe('lines that are no new block', () => {
  const titles = ['Kestrel', 'Osprey', 'Heron', 'Curlew'];

  it('are counted after a list was sorted', () => {
    const { lines, moved } = report(
      ['Sort', ...titles, '1-4'],
      ['Sort', 'Curlew', 'Heron', 'Kestrel', 'Osprey', '1-4 of 4'],
    );
    expect(lines).toEqual(['- 1-4', '+ 1-4 of 4']);
    expect(moved).toBe(2);
  });

  it('are left out after sorted cards were rebuilt', () => {
    const cards = (names: string[]) => names.flatMap((name) => [name, `Boat ${name}`, button('Open')]);
    const after = ['Sorted', ...cards(['Curlew', 'Heron', 'Kestrel', 'Osprey'])];
    const { lines, moved, recreated } = report(['By age', ...cards(titles)], after);
    expect(lines).toEqual(['- By age', '+ Sorted']);
    expect([moved, recreated]).toEqual([6, 4]);
  });

  it('are left out in a filtered list, in which only some rows are gone', () => {
    const [first = '', , third = ''] = titles;
    const row = (name: string) => [name, `Boat ${name}`];
    const { lines } = report(['4 boats', ...titles.flatMap(row)], ['2 boats', ...row(first), ...row(third)]);
    expect(lines.filter((words) => words.startsWith('+'))).toEqual(['+ 2 boats']);
  });

  it('are left out in a long list that scrolled, which shows its last rows first', () => {
    const rows = (from: number) =>
      Array.from({ length: 20 }, (_, at) => [`Boat ${from + at}`, `Berth ${from + at}`]).flat();
    const { lines } = report(['Boats', ...rows(0), 'Foot'], ['Boats', ...rows(15), 'Foot']);
    expect(lines.filter((words) => words.startsWith('+'))).toEqual(plus(rows(20).slice(0, 30)));
  });

  it('are left out in opened sections, whose headings were next to each other', () => {
    const after = ['Depth', 'One m', 'Two m', 'Width', 'Six m', 'Ten m', 'Length', 'Nine m'];
    const { lines } = report(['Depth', 'Width', 'Length'], after);
    expect(lines).toEqual(plus(after.filter((words) => words.endsWith(' m'))));
  });

  it('are left out where tabs change their panel, also if the panel repeats the word of a tab', () => {
    const tabs = ['Overview', 'Moorings', 'Crew'];
    const { lines } = report(
      [...tabs, '## Overview', 'Calm', 'Two crew'],
      [...tabs, '## Moorings', 'Moorings', 'North', 'Crew'],
    );
    expect(lines.filter((words) => words.startsWith('+'))).toEqual(plus(['## Moorings', 'Moorings', 'North', 'Crew']));
  });

  it('are left out in a table that gets a row, whose rows were rebuilt', () => {
    const rows = (names: string[]) => names.flatMap((name) => [`| ${name} | Berth |`, button('Open'), toggle('star')]);
    const { lines } = report(
      ['| Name | Place |', ...rows(titles)],
      ['| Name | Place |', ...rows(['Kestrel', 'Knot', ...titles.slice(1)])],
    );
    expect(lines.map((words) => words.replace(/@e\d+/u, '@e'))).toEqual([
      '+ | Knot | Berth |',
      '+ @e button "Open"',
      '+ @e clickable (class "star")',
    ]);
  });

  it('are left out where a note came before rebuilt buttons of one name', () => {
    const { lines, recreated } = report(
      ['Boats', button('Open'), button('Open')],
      ['Boats', 'Saved', button('Open'), button('Open')],
    );
    expect([lines, recreated]).toEqual([['+ Saved'], 2]);
  });

  it('are left out of rows with one changed value', () => {
    const rows = (ago: number) => titles.flatMap((name) => [name, `Boat ${name}`, `${ago} minutes ago at ${name}`]);
    const { lines } = report(rows(1), rows(2));
    expect(lines.filter((words) => words.startsWith('+'))).toHaveLength(4);
    expect(lines.join()).not.toContain('Boat');
  });
});

describe('elements without a name', () => {
  const CREW = ['Tides', 'Storms', 'Berths'];
  const rows = (on: string) => CREW.flatMap((name) => [name, toggle(name === on ? 'active' : 'switch')]);

  it('are each listed with their row, and the control that brought them keeps its place', () => {
    const draw = (isOn: boolean) => [
      '## Messages',
      'All by mail',
      toggle('active'),
      ...rows('Tides'),
      '@e8 clickable "Phone"',
      'All by phone',
      toggle(isOn ? 'active' : 'switch'),
      ...CREW.flatMap((name) => (isOn ? [name, toggle('switch')] : [name])),
      '### News',
      'New berths',
      toggle('switch'),
    ];
    const { lines } = report(draw(false), draw(true));
    expect(lines.map((words) => words.replace(/@e\d+/u, '@e'))).toEqual([
      '~ @e clickable (class "active"): All by phone',
      ...CREW.map((name) => `+ @e clickable (class "switch"): ${name}`),
    ]);
  });

  it('have the words of their row if they change', () => {
    const { lines } = report(['## Mail', ...rows('Tides')], ['## Mail', ...rows('')]);
    expect(lines.map((words) => words.replace(/@e\d+/u, '@e'))).toEqual(['~ @e clickable (class "switch"): Tides']);
    const stars = (mark: string) => [
      '@e1 clickable (class "star")',
      'First',
      `@e2 clickable (class "${mark}")`,
      'Second',
      '@e3 clickable (class "star")',
      'Third',
    ];
    expect(report(['## Mail', ...stars('star')], ['## Mail', ...stars('full')]).lines).toEqual([
      '~ @e2 clickable (class "full"): Second',
    ]);
  });

  it('have the title of their card', () => {
    const card = (name: string, mark: string, ref: string) => [
      `### ${name}`,
      'A boat',
      `${ref} button (class "${mark}")`,
    ];
    const before = [...card('Heron', 'star', '@e1'), ...card('Knot', 'star', '@e2')];
    const after = [...card('Heron', 'star', '@e1'), ...card('Knot', 'full', '@e2')];
    expect(report(before, after).lines).toEqual(['~ @e2 button (class "full"): ### Knot A boat']);
  });

  it('do not repeat words that the report lists next to them', () => {
    const after = ['All', ...rows('')];
    expect(report(['All'], after).lines).toEqual(plus(after.slice(1)));
  });
});
