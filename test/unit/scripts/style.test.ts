import { describe, expect, it } from 'vitest';
import { faultsOfComments, faultsOfDocument, faultsOfSource } from '#scripts/style/rules.ts';

const rulesIn = (text: string) => faultsOfSource(text).map(({ rule, line }) => `${rule} ${line}`);

describe('the writing rules for sources', () => {
  it.each([
    ['a headless block comment', '/** Whether the page is open. */', ['headless comment 1']],
    [
      'a headless comment of several lines',
      '/**\n * How long it takes,\n * What comes then.\n */',
      ['headless comment 2'],
    ],
    ['a headless line comment', 'x();\n// Of long ones, the words are left out.', ['headless comment 2']],
    [
      'a headless sentence in a text',
      "const hint = 'Nothing fits. What is near is listed below.';",
      ['headless text 1'],
    ],
    ['a phrase of the old dialect', "const note = 'The changes are told in the next result.';", ['phrase 1']],
    ['a phrase in a part of a sentence', "const note = 'it is told in the next result';", ['phrase 1']],
    ['a phrase in the text of a page', '        The changes are told in the next result.', ['phrase 1']],
    ['a sentence that is too long', `const hint = 'Call ${'one more word and '.repeat(9)}stop.';`, ['long sentence 1']],
  ])('find %s', (_, text, rules) => {
    expect(rulesIn(text)).toEqual(rules);
  });

  it.each([
    ['/** True if the page is open. */'],
    ["const question = 'What should the page say?';"],
    ['// A line that\n// How the next line begins is no opening.'],
    ["const sql = 'SELECT url FROM pages WHERE it is told';"],
    ["const hint = 'Call browser_snapshot and use one of its refs.';"],
  ])('find nothing in %s', (text) => {
    expect(rulesIn(text)).toEqual([]);
  });
});

describe('the writing rules for tests, scripts and benches', () => {
  it('find headless comments, and leave texts alone', () => {
    const text = "/** How long it takes. */\nconst hint = 'The changes are told in the next result.';";
    expect(faultsOfComments(text).map(({ rule, line }) => `${rule} ${line}`)).toEqual(['headless comment 1']);
  });
});

describe('the writing rules for documents', () => {
  it('find a sentence of more than 30 words, across line ends', () => {
    const long = `A sentence ${'with more words\n'.repeat(10)}ends here. A short one follows.`;
    expect(faultsOfDocument(`# Title\n\n${long}\n`).map(({ rule, line }) => `${rule} ${line}`)).toEqual([
      'long sentence 3',
    ]);
  });

  it('ignore code, tables and headings', () => {
    const words = 'word '.repeat(40);
    expect(faultsOfDocument(`# ${words}\n\n| ${words} |\n\n\`\`\`sh\n${words}\n\`\`\`\n`)).toEqual([]);
  });
});
