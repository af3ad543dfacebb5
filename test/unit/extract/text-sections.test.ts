import { describe, expect, it } from 'vitest';
import { read } from './support.ts';

const RFC = `Network Working Group                                          A. Writer
Category: Informational                                         May 2026


                  The Kettle Transfer Protocol (KTP)

Abstract

   This memo describes how kettles talk to each other over a wire,
   and what they say when the water boils.

Table of Contents

   1. Introduction ....................................................2
   2. Messages ........................................................3

1.  Introduction

   The words "MUST" and "SHOULD" are to be
   interpreted as described elsewhere.

Writer                       Informational                      [Page 1]

2.  Messages

2.1.  Boil *Now*

   BOIL = "boil" CRLF

   1. an item of a list

Appendix A.  Grammar

   None.
`;

async function markdownOf(text: string): Promise<string> {
  return (await read('text', text, 'readable', 'https://texts.example/ktp.txt')).lines.join('\n');
}

describe('a text laid out like an RFC', () => {
  it('has its headings as headings and keeps every line between them', async () => {
    const markdown = await markdownOf(RFC);
    expect(markdown.match(/^#+ .*$/gm)).toEqual([
      '## Abstract',
      '## Table of Contents',
      '## 1. Introduction',
      '## 2. Messages',
      '### 2.1. Boil \\*Now\\*',
      '## Appendix A. Grammar',
    ]);
    const shown = markdown.split('\n').filter((line) => !/^(?:#|```|$)/.test(line));
    const kept = RFC.split('\n').filter(
      (line) => line.trim() !== '' && (/^\s/.test(line) || /Writer|Category/.test(line)),
    );
    expect(shown).toEqual(kept);
  });

  it.each([
    [
      'a list at the edge',
      '1. First\n\n2. Second\n\n3. Third\n\nAnd some text at the edge of the page.\nMore of it.\nAnd more.',
    ],
    ['numbers that do not ascend', '3. a\n\n   text\n\n2. b\n\n   text\n\n1. c\n\n   text\n\n   text\n   text'],
    ['a table of contents alone', '1. a .... 1\n\n   x\n\n2. b .... 2\n\n   x\n\n3. c .... 3\n\n   x'],
    ['names without numbers', 'Abstract\n\n   text\n\nIndex\n\n   text\n\nReferences\n\n   text'],
  ])('is distinguished from %s', async (_, text) => {
    expect(await markdownOf(text)).toMatch(/^```\n[^#]*\n```$/);
  });
});

describe('the title of a Markdown file', () => {
  it.each([
    ['taken from its front matter', '---\ntitle: "On Lamps"\n---\n\n# Lamps\n', 'On Lamps'],
    [
      'taken from its first heading when the front matter names none',
      '---\ntitle:\n---\n\n## On *Lamps* ##\n',
      'On Lamps',
    ],
    [
      'taken from its first heading when a line outside front matter looks like a title',
      'title: Menu\n\n# Lamps\n',
      'Lamps',
    ],
    ['missing when it has neither', 'title: Menu\n\nLamps.\n', null],
  ])('is %s', async (_, text, title) => {
    expect((await read('markdown', text)).title).toBe(title);
  });
});
