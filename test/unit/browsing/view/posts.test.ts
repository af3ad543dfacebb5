import { describe, expect, it } from 'vitest';
import { comparePageScans } from '#browsing/view/changes/compare-looks.ts';
import { writeViewChanges } from '#browsing/view/changes/write-changes.ts';
import { createShownElement } from '#browsing/view/view-line.ts';
import type { RowOfLine, ViewLine } from '#browsing/view/view-line.ts';
import { recordedPages } from '#support/recorded/recorded-pages.ts';

let body = '';

const pages = recordedPages('view/posts', () => `<!doctype html><meta charset="utf-8"><title>T</title><body>${body}`);

async function shown(html: string): Promise<string[]> {
  body = html;
  return (await (await pages.open('http://site.example/')).text()).split('\n');
}

describe('posts without the roles of a list', () => {
  it('have their lines under the first, so that each button belongs to one of them', async () => {
    const html = (name: string, words: string) =>
      `<div><p>${name}</p><p>${words}</p><button>Like</button><i>3</i><button>Reply</button></div>`;
    expect(await shown(`<h1>Feed</h1>${html('Ann', 'Soup')}${html('Bob', 'Bike')}<p>End</p>`)).toEqual([
      '# Feed',
      '- Ann',
      ' Soup',
      ' @e1 button "Like"',
      ' 3',
      ' @e2 button "Reply"',
      '- Bob',
      ' Bike',
      ' @e3 button "Like"',
      ' 3',
      ' @e4 button "Reply"',
      'End',
    ]);
  });

  it('have their lines under a button that comes first', async () => {
    const mail = (title: string) =>
      `<div><button>Dismiss</button><a href="#${title}">${title}</a><p>from Ann</p></div>`;
    expect(await shown(`${mail('Lunch')}${mail('Invoice')}`)).toEqual([
      '@e1 button "Dismiss"',
      ' @e2 link "Lunch" #Lunch',
      ' from Ann',
      '@e3 button "Dismiss"',
      ' @e4 link "Invoice" #Invoice',
      ' from Ann',
    ]);
  });

  it('are not made of buttons alone, or of different fields', async () => {
    const bar = '<div><button>Bold</button><button>Italic</button></div>';
    const field = (name: string) => `<div><label>${name} <input></label><p>required</p></div>`;
    const lines = await shown(`<div>${bar}${bar}</div>${field('Name')}${field('Town')}`);
    expect(lines.filter((line) => /^(?: |- )/u.test(line))).toEqual([]);
  });
});

const ROWS: readonly RowOfLine[] = [
  { node: 1, words: 'Ann Soup 3' },
  { node: 2, words: 'Bob Bike 0' },
];

function post(at: number, name: string, likes: string): ViewLine[] {
  const [words = '', title = ''] = (ROWS[at]?.words ?? '').split(' ');
  const button = (ref: string, said: string): ViewLine => ({
    depth: 1,
    kind: 'element',
    parts: [createShownElement(ref, 'button', `"${said}"`)],
  });
  const text = (said: string, depth = 1): ViewLine => ({ depth, kind: 'text', parts: [said] });
  const lines = [
    text(`- ${words}`, 0),
    text(title),
    button(`@e${at}1`, name),
    text(likes),
    button(`@e${at}2`, 'Reply'),
  ];
  return lines.map((line) => ({ ...line, row: ROWS[at] ?? { node: 0, words: '' } }));
}

function changesOf(before: readonly ViewLine[], after: readonly ViewLine[], at: string | null = null) {
  const [one, other] = [before, after].map((lines) => ({ generation: 'one', loaderId: 'one', lines }));
  if (one === undefined || other === undefined) throw new Error('two looks are compared');
  const compared = comparePageScans(one, other, { own: new Set(), at, still: new Set() });
  if (compared === null) throw new Error('the looks have nothing in common');
  return writeViewChanges(compared, { maxChars: 700, wholeCharsMax: 1_600, viewCharsMax: 3_200 }, new Set()).changes
    .lines;
}

describe('a change in one of several posts', () => {
  const ann = post(0, 'Like', '3');

  it('names the post once for lines that follow each other', () => {
    expect(changesOf([...ann, ...post(1, 'Like', '0')], [...ann, ...post(1, 'Liked', '1')])).toEqual([
      '~ @e11 button "Liked" in: Bob Bike 0',
      '- 0',
      '+ 1',
    ]);
  });

  it('names the post for a line that is moved to the front, and for the next', () => {
    const before = [...ann, ...post(1, 'Like', '0')];
    expect(changesOf(before, [...ann, ...post(1, 'Liked', '1')], '@e11')).toEqual([
      '~ @e11 button "Liked" in: Bob Bike 0',
      '- 0',
      '+ 1 in: Bob Bike 0',
    ]);
  });

  it('does not name a post that the element itself names', () => {
    const field = (states: string[]): ViewLine[] => [
      {
        depth: 0,
        kind: 'element',
        parts: [createShownElement('@e1', 'textbox', '"Name"', states)],
        row: { node: 5, words: 'Name Please fill in' },
      },
      {
        depth: 0,
        kind: 'element',
        parts: [createShownElement('@e2', 'link', '"QA"', states)],
        row: { node: 6, words: 'QA' },
      },
    ];
    expect(changesOf(field([]), field(['invalid']))).toEqual([
      '~ @e1 textbox "Name" invalid',
      '~ @e2 link "QA" invalid',
    ]);
  });

  it('does not name a new post, whose own lines are listed', () => {
    expect(changesOf(ann, [...ann, ...post(1, 'Like', '0')]).join(' ')).not.toContain(' in: ');
  });
});
