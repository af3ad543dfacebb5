import { describe, expect, it } from 'vitest';
import { comparePageScans } from '#browsing/view/changes/compare-looks.ts';
import { writeViewChanges } from '#browsing/view/changes/write-changes.ts';
import { createShownElement } from '#browsing/view/view-line.ts';
import type { ShownElement, ViewLine } from '#browsing/view/view-line.ts';
import type { PageScan } from '#browsing/view/view.ts';

const ROOM = { maxChars: 700, wholeCharsMax: 1_600, viewCharsMax: 3_200 };

function text(words: string): ViewLine {
  return { depth: 0, kind: 'text', parts: [words] };
}

function button(ref: string, name: string, states: readonly string[] = []): ViewLine {
  return { depth: 0, kind: 'element', parts: [createShownElement(ref, 'button', `"${name}"`, states)] };
}

function look(...lines: ViewLine[]): PageScan {
  return { generation: 'one', loaderId: 'one', lines };
}

const NOTHING_KNOWN = { own: new Set<string>(), at: null, still: new Set<string>() };

function compare(before: PageScan, after: PageScan, still: ReadonlySet<string> = new Set()) {
  const compared = comparePageScans(before, after, { ...NOTHING_KNOWN, still });
  if (compared === null) throw new Error('the looks have nothing in common');
  return compared;
}

describe('changes next to a view', () => {
  const known = text('Saved drafts');
  const added = text('Saved…');
  const comparison = compare(look(known), look(known, added));

  it('leave out and count a line that the view shows', () => {
    expect(writeViewChanges(comparison, ROOM, new Set([known, added]))).toMatchObject({
      changes: { lines: [], left: 0 },
      changesInView: 1,
    });
  });

  it('include a line that the view does not show, even if it reads like the beginning of one that it shows', () => {
    expect(writeViewChanges(comparison, ROOM, new Set([known]))).toMatchObject({
      changes: { lines: ['+ Saved…'], left: 0 },
      changesInView: 0,
    });
  });

  it('have each line that disappeared', () => {
    const gone = compare(look(known, added), look(known));
    expect(writeViewChanges(gone, ROOM, new Set([known])).changes.lines).toEqual(['- Saved…']);
  });
});

describe('a change of the focus', () => {
  it('is reported when an element that existed before gets it', () => {
    const compared = compare(look(button('@e1', 'Go')), look(button('@e1', 'Go', ['focused'])));
    expect(compared.isOnlyFocus).toBe(true);
    expect(writeViewChanges(compared, ROOM, new Set()).changes.lines).toEqual(['~ @e1 button "Go" focused']);
  });

  it('is ignored if only page text mentions it', () => {
    const compared = compare(look(button('@e1', 'Camera on')), look(button('@e1', 'Camera focused on')));
    expect(compared.isOnlyFocus).toBe(false);
  });
});

describe('a long line that changed', () => {
  const long: ViewLine = {
    depth: 0,
    kind: 'text',
    parts: [
      `17 | ${'Long words of a cell '.repeat(20)}| `,
      createShownElement('@e7', 'button', '"Edit"'),
      ' ',
      createShownElement('@e8', 'button', '"Delete the order for ever"'),
    ],
  };
  const written = (line: ViewLine) =>
    writeViewChanges(compare(look(text('A')), look(text('A'), line)), ROOM, new Set());

  it('shows its elements after its beginning, within the same length', () => {
    const [line = ''] = written(long).changes.lines;
    expect(line).toMatch(/^\+ 17 \| Long words .*… @e7 button "Edit" @e8 button "Delete the order for…"$/u);
    expect(line.length).toBeLessThanOrEqual(160);
  });

  it('shows the refs of all equal lines', () => {
    const rowOf = (ref: string) => ({
      ...long,
      parts: [long.parts[0] ?? '', createShownElement(ref, 'button', '"Edit"')],
    });
    const compared = compare(look(text('A')), look(text('A'), rowOf('@e7'), rowOf('@e8')));
    const [line = ''] = writeViewChanges(compared, ROOM, new Set()).changes.lines;
    expect(line).toMatch(/^\+ 2 × 17 \| Long .*… \(@e7 @e8\)$/u);
    expect(line.length).toBeLessThanOrEqual(160);
  });

  it('shows an element that is cut only after its beginning, with a short value', () => {
    const field = (ref: string, role: string, value: string): ShownElement => ({
      ...createShownElement(ref, role),
      details: [`= "${value}"`],
      isInline: true,
    });
    const parts = [
      '| ',
      { ...createShownElement('@e96', 'clickable', '"SUPPORT-MO - Technical Support - Monthly Plan"'), isInline: true },
      ' | ',
      field('@e97', 'textbox', 'Technical support for three months, billed in advance for a quarter'),
      ' | ',
      field('@e98', 'spinbutton', '3'),
      ' | ',
      field('@e99', 'spinbutton', '2400.00'),
      ' | ',
      { ...createShownElement('@e100', 'clickable', '"200 - Sales ▾"'), isInline: true },
      ' | ',
      { ...createShownElement('@e101', 'clickable', '"15% ▾"'), isInline: true },
    ];
    const [line = ''] = written({ ...long, parts }).changes.lines;
    expect(line).toMatch(/^\+ \| \[@e96 clickable "SUPPORT-MO/u);
    for (const ref of ['@e96', '@e97', '@e98', '@e99', '@e100', '@e101']) expect(line.split(`${ref} `)).toHaveLength(2);
    expect(line).toContain('@e97 textbox = "Technical support f…"');
    expect(line).toContain('@e98 spinbutton = "3" @e99 spinbutton = "2400.00"');
    expect(line.length).toBeLessThanOrEqual(240);
  });

  it.each([100, 120, 128, 136, 144, 152, 200])('names no element twice after a name of %i characters', (length) => {
    const name = `"${'n'.repeat(length)}"`;
    const parts = [
      createShownElement('@e7', 'link', name),
      ' ',
      createShownElement('@e8', 'button', '"Edit"'),
      ' ',
      createShownElement('@e9', 'button', '"Remove the order"'),
    ];
    const [line = ''] = written({ ...long, parts }).changes.lines;
    for (const ref of ['@e7', '@e8', '@e9']) expect(line.split(ref)).toHaveLength(2);
    expect(line.length).toBeLessThanOrEqual(160);
  });

  it('names no element twice', () => {
    const parts = [createShownElement('@e7', 'link', '"Order 17"'), ` ${'words '.repeat(60)}`];
    const [line = ''] = written({ ...long, parts }).changes.lines;
    expect(line.match(/@e7/gu)).toHaveLength(1);
    expect(line).toMatch(/words…$/u);
  });
});

function row(ref: string | null, words: string, depth = 0): ViewLine {
  return { depth, kind: 'element', parts: ref === null ? [words] : [createShownElement(ref, 'clickable')] };
}

function box(ref: string, states: readonly string[] = []): ViewLine {
  return { depth: 0, kind: 'element', parts: [createShownElement(ref, 'switch', '"Alerts"', states)] };
}

function inDialog(line: ViewLine): ViewLine {
  return { ...line, over: { node: 7, isLive: false } };
}

function linesOf(before: PageScan, after: PageScan, room = ROOM): readonly string[] {
  return writeViewChanges(compare(before, after), room, new Set()).changes.lines;
}

function inside(line: ViewLine): ViewLine {
  return { ...line, depth: 1 };
}

function group(ref: string, role: string): ViewLine {
  return { depth: 0, kind: 'group', parts: [createShownElement(ref, role)] };
}

describe('a new element without a name', () => {
  it('does not repeat the names of the elements inside, which have their own lines', () => {
    const list = [group('@e1', 'listbox'), inside(button('@e2', 'Read')), inside(button('@e3', 'Write'))];
    expect(linesOf(look(), look(...list))).toEqual(['+ @e1 listbox', '+ @e2 button "Read"', '+ @e3 button "Write"']);
  });

  it('has the first text inside, which tells one row from another', () => {
    const rows = look(group('@e1', 'clickable'), inside(button('@e2', 'Star')), inside(text('Invoice 7')));
    expect(linesOf(look(), rows)).toEqual(['+ @e1 clickable: Invoice 7', '+ @e2 button "Star"', '+ Invoice 7']);
    expect(linesOf(look(), look(group('@e1', 'clickable'), inside(text('Invoice 7'))))).toEqual([
      '+ @e1 clickable: Invoice 7',
    ]);
  });
});

describe('a named part of the page', () => {
  const inbox: ViewLine = { depth: 0, kind: 'group', parts: [createShownElement(null, 'list', '"Inbox"')] };
  const mails = ['From Ada', 'From Bob', 'From Cid'].map(text).map(inside);
  const other = text('Drafts');

  it('is one line if it has lost all its lines', () => {
    expect(linesOf(look(inbox, ...mails, other), look(other))).toEqual(['- list "Inbox" is empty or gone (3 lines)']);
  });

  it('is reported line by line if some of its lines are left, or if only its text identifies it', () => {
    expect(linesOf(look(inbox, ...mails, other), look(inbox, ...mails.slice(2), other))).toEqual([
      '- From Ada',
      '- From Bob',
    ]);
    const card = look(group('@e1', 'clickable'), ...mails, other);
    expect(linesOf(card, look(other))).toContain('- From Ada');
  });
});

describe('a layer that closed', () => {
  const option = (ref: string, name: string) => inDialog(inside(button(ref, name)));
  const menu = [inDialog(group('@e1', 'menu')), option('@e2', 'Name'), option('@e3', 'Price'), option('@e4', 'Age')];
  const field = button('@e9', 'Sort');

  it('is one line with its role', () => {
    expect(linesOf(look(field, ...menu), look(field))).toEqual(['- menu closed (4 lines)']);
  });

  it('is reported although its first line is the element of the call', () => {
    const [, ...items] = menu;
    const compared = comparePageScans(look(field, ...items), look(field), { ...NOTHING_KNOWN, own: new Set(['@e2']) });
    expect(compared?.told).toMatchObject([
      { sign: '-', gone: 1, words: 'button "Name" … (a layer of 3 lines closed)' },
    ]);
  });

  it('is one line with its first words if it has no role', () => {
    const calendar = [text('May 2027'), text('| 1 | 2'), text('| 8 | 9')].map(inDialog);
    expect(linesOf(look(field, ...calendar), look(field))).toEqual(['- May 2027 … (a layer of 3 lines closed)']);
  });

  it('has a line for each removed line while a part of it is still there', () => {
    const [list, first, second, third] = menu;
    const lines = [list, first, second, third].flatMap((line) => line ?? []);
    expect(linesOf(look(field, ...lines), look(field, ...lines.slice(0, 2)))).toEqual([
      '- button "Price"',
      '- button "Age"',
    ]);
  });

  it('has a line for each removed line if it was short, or only announced something', () => {
    expect(linesOf(look(field, ...menu.slice(0, 2)), look(field))).toEqual(['- menu', '- button "Name"']);
    const toast = [text('Saved'), text('as draft'), text('today')].map((line) => ({
      ...line,
      over: { node: 8, isLive: true },
    }));
    expect(linesOf(look(field, ...toast), look(field))).toEqual(['- Saved', '- as draft', '- today']);
  });
});

describe('a dialog in which an action took place', () => {
  const dialogLine = (name: string, states: readonly string[] = []): ViewLine =>
    inDialog({ depth: 0, kind: 'group', parts: [createShownElement(null, 'dialog', name, states)] });
  const save = inDialog(inside(button('@e2', 'Save')));
  const dialog = [dialogLine('"Rename"'), inDialog(inside(button('@e1', 'Name'))), save];
  const saved = text('Saved');
  const linesAt = (at: string | null, before: PageScan, after: PageScan, own: readonly string[] = []) => {
    const compared = comparePageScans(before, after, { own: new Set(own), at, still: new Set() });
    return compared === null ? [] : writeViewChanges(compared, ROOM, new Set()).changes.lines;
  };
  const STILL = '= dialog "Rename" is still open';

  it('is reported as still open if all changes are outside of it, or only removed lines', () => {
    expect(linesAt('@e2', look(...dialog), look(saved, ...dialog))).toEqual(['+ Saved', STILL]);
    expect(linesAt('@e1', look(...dialog), look(...dialog.slice(0, 2)))).toEqual(['- button "Save"', STILL]);
  });

  it('is reported as still open if the page has rebuilt it', () => {
    const over = { node: 8, isLive: false };
    const lines = [dialogLine('"Rename"'), inside(button('@e7', 'Name')), inside(button('@e8', 'Save'))];
    const again = lines.map((line) => ({ ...line, over }));
    expect(linesAt('@e2', look(...dialog), look(saved, ...again)).at(-1)).toBe(STILL);
  });

  it('is not repeated if a change in it shows that it is open, if nothing changed, or next to a view', () => {
    const wrong = inDialog(inside(text('Enter a name')));
    expect(linesAt('@e2', look(...dialog), look(saved, ...dialog, wrong))).toEqual(['+ Saved', '+ Enter a name']);
    expect(linesAt('@e2', look(...dialog), look(...dialog))).toEqual([]);
    expect(linesAt('@e1', look(...dialog), look(...dialog), ['@e1'])).toEqual([]);
    const before = look(...dialog);
    const compared = comparePageScans(before, look(saved, ...dialog), { ...NOTHING_KNOWN, at: '@e2' });
    expect(compared && writeViewChanges(compared, ROOM, new Set(dialog)).changes.lines).toEqual(['+ Saved']);
  });

  it('is not reported for an action outside of it', () => {
    const other = button('@e9', 'Menu');
    expect(linesAt('@e9', look(other, ...dialog), look(saved, other, ...dialog))).toEqual(['+ Saved']);
    expect(linesAt(null, look(...dialog), look(saved, ...dialog))).toEqual(['+ Saved']);
  });

  it('is the modal one if the target is unknown', () => {
    const modal = [dialogLine('"Rename"', ['modal']), save];
    expect(linesAt(null, look(...modal), look(saved, ...modal))).toEqual(['+ Saved', STILL]);
  });

  it('is reported as closed before lines of the page, however many changed', () => {
    const other = Array.from({ length: 90 }, (_, at) => text(`Some words of the page ${at}`));
    const old = Array.from({ length: 9 }, (_, at) => text(`Old words ${at}`));
    const [first] = linesAt('@e2', look(...old, ...dialog), look(...other));
    expect(first).toBe('- dialog "Rename" closed (3 lines)');
  });
});

describe('the lines of changes', () => {
  const SMALL = { maxChars: 60, wholeCharsMax: 60, viewCharsMax: 60 };

  it('are in the order of the page, with removed lines at their old place', () => {
    const before = look(text('One'), text('Draft'), text('Two'), text('Three'));
    const after = look(text('One'), text('Sent'), text('Two'), text('News'), text('Three'));
    expect(linesOf(before, after)).toEqual(['- Draft', '+ Sent', '+ News']);
  });

  it('show a new element without a name with its own words, which are not repeated', () => {
    const after = look(text('All'), row('@e1', ''), row(null, 'Kim 5', 1), row(null, 'Berth 2', 1), row('@e2', ''));
    expect(linesOf(look(text('All')), after)).toEqual(['+ @e1 clickable: Kim 5 Berth 2', '+ @e2 clickable']);
  });

  it('show the first of many words in an element, and then all of them', () => {
    const after = look(row('@e1', ''), row(null, 'Kim '.repeat(30), 1));
    const [first, second] = linesOf(look(), after);
    expect([first?.length, second]).toEqual([78, `+ ${'Kim '.repeat(30).trim()}`]);
  });

  it('count identical lines, with the ref of each', () => {
    const after = look(text('Row'), text('Row'), text('Row'), button('@e1', 'Open'), button('@e2', 'Open'));
    expect(linesOf(look(), after)).toEqual(['+ 3 × Row', '+ 2 × button "Open" (@e1 @e2)']);
  });

  it('count removed identical lines', () => {
    const before = look(button('@e1', 'Inter'), button('@e2', 'Inter'), text('Gone'), text('Gone'));
    expect(linesOf(before, look(button('@e1', 'Inter')))).toEqual(['- 1 of 2 × button "Inter"', '- 2 × Gone']);
  });

  it('begin with a box that was unticked, even if there is little room', () => {
    const before = look(text('One'), box('@e1', ['checked']), box('@e2', ['checked']));
    const after = look(text('Two'), box('@e1', ['checked']), box('@e2'));
    expect(linesOf(before, after)[0]).toBe('~ @e2 switch "Alerts"');
  });

  it('have a chosen value first', () => {
    const list = (value: string): ViewLine => {
      const element = { ...createShownElement('@e1', 'combobox', '"Font"'), details: [`= "${value}"`] };
      return { depth: 0, kind: 'element', parts: [element] };
    };
    const lines = linesOf(look(text('One'), list('Inter')), look(text('Two'), list('Lora')));
    expect(lines).toEqual(['~ @e1 combobox "Font" = "Lora"', '- One', '+ Two']);
  });

  it('keep the buttons of a dialog that is too long, and its order', () => {
    const words = Array.from({ length: 9 }, (_, at) => inDialog(text(`Some words of the dialog ${at}`)));
    const after = look(text('All'), ...words, inDialog(button('@e1', 'Create')), inDialog(button('@e2', 'Cancel')));
    const { changes } = writeViewChanges(compare(look(text('All')), after), SMALL, new Set());
    expect(changes.lines).toEqual(['+ @e1 button "Create"', '+ @e2 button "Cancel"']);
    expect(changes.left).toBe(9);
    expect(linesOf(look(text('All')), after).at(-1)).toBe('+ @e2 button "Cancel"');
  });

  const field = (ref: string, name: string, states: readonly string[] = []): ViewLine => ({
    depth: 0,
    kind: 'element',
    parts: [createShownElement(ref, 'textbox', `"${name}"`, states)],
  });
  const many = (words: string) => Array.from({ length: 9 }, (_, at) => text(`${words} of the list ${at}`));
  const cut = (before: PageScan, after: PageScan, at: string | null = null) => {
    const compared = comparePageScans(before, after, { own: new Set(), at, still: new Set() });
    return compared === null ? [] : writeViewChanges(compared, SMALL, new Set()).changes.lines;
  };

  it('keep an alert, before buttons of other parts and announcements', () => {
    const said = { ...text('Saving the order of today'), over: { node: 8, isLive: true } };
    const alert = { ...text('Card was declined'), over: { node: 9, isLive: true, isAlert: true } };
    const first = cut(
      look(text('All')),
      look(text('All'), ...many('Line'), said, inDialog(button('@e1', 'OK')), alert),
    );
    expect(first).toEqual(['+ @e1 button "OK"', '+ Card was declined']);
  });

  it('keep a field that became invalid', () => {
    const before = look(...many('Old'), field('@e1', 'Mail'), field('@e2', 'Name'));
    const after = look(...many('New'), field('@e1', 'Mail', ['invalid']), field('@e2', 'Name'));
    expect(cut(before, after)[0]).toBe('~ @e1 textbox "Mail" invalid');
  });

  it('keep a new field that is invalid', () => {
    const after = look(...many('New'), field('@e1', 'Mail', ['invalid']));
    expect(cut(look(), after)[0]).toBe('+ @e1 textbox "Mail" invalid');
  });

  it('keep the row of the control that was used', () => {
    const mine = (state: string): ViewLine => ({
      depth: 0,
      kind: 'element',
      parts: [`| Order 17 | ${state} | `, createShownElement('@e17', 'button', '"Pay"')],
    });
    const before = look(...many('Old'), mine('Open'));
    const after = look(...many('New'), mine('Paid'));
    expect(cut(before, after, '@e17')[0]).toBe('+ | Order 17 | Paid | @e17 button "Pay"');
  });

  it('leave out lines that a search has shown since', () => {
    const before = { ...look(text('One'), text('Two')), found: new Set(['Two, changed']) };
    expect(linesOf(before, look(text('One'), text('Two, changed'), text('Three')))).toEqual(['- Two', '+ Three']);
  });
});

describe('a new element with the words of one that left the view', () => {
  const before = look(text('Step 1'), button('@e1', 'Next'));
  const after = look(text('Step 2'), button('@e2', 'Back'), button('@e3', 'Next'));

  it('is reported as new if the page still has the other element', () => {
    const compared = compare(before, after, new Set(['@e1']));
    expect(compared.recreated).toBe(0);
    expect(writeViewChanges(compared, ROOM, new Set()).changes.lines).toContain('+ @e3 button "Next"');
  });

  it('counts as re-created if the page removed the other element', () => {
    const compared = compare(before, after);
    expect(compared.recreated).toBe(1);
    expect(writeViewChanges(compared, ROOM, new Set()).changes.lines).not.toContain('+ @e3 button "Next"');
  });

  it('is reported as new if it is in a dialog and the other one was not', () => {
    const over = { node: 7, isLive: false };
    const dialog = [text('Berta'), button('@e2', 'Delete')].map((line) => ({ ...line, over }));
    const compared = compare(look(text('Berta'), button('@e1', 'Delete')), look(...dialog));
    expect(compared.recreated).toBe(0);
    expect(writeViewChanges(compared, ROOM, new Set()).changes.lines).toEqual(
      expect.arrayContaining(['+ Berta', '+ @e2 button "Delete"']),
    );
  });
});
