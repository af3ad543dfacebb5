import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CodeFences } from '#core/text/plain.ts';
import { utf8Bytes } from '#core/text/text.ts';
import { runToEnd } from '#core/flow/turns.ts';
import { PROSE_LINE_CHARS_MAX, UNBROKEN_LINE_BYTES_MAX, DOCUMENT_LINES_MAX } from '#extract/limits.ts';
import { splitCitableLines } from '#extract/lines/lines.ts';
import { read } from './support.ts';

function lines(markdown: string): string[] {
  return runToEnd(splitCitableLines(markdown.split('\n'))).lines;
}

describe('toLines', () => {
  it('breaks prose at sentence ends', () => {
    expect(lines('One is here. Two is there! Is three? Yes.')).toEqual([
      'One is here.',
      'Two is there!',
      'Is three?',
      'Yes.',
    ]);
  });

  it('joins the words after an abbreviation or an initial to it', () => {
    for (const sentence of [
      'Use a tool, e.g. Make, for it.',
      'Dr. Ada met J. R. Smith in the U.S. Congress.',
      'See Fig. 3 and No. 5 for more.',
      'It weighs 3.5 kg at 10 p.m. today.',
      'Das gilt z. T. auch hier.',
    ]) {
      expect(lines(sentence)).toEqual([sentence]);
    }
  });

  it('breaks Chinese and Japanese prose at full stops', () => {
    expect(lines('今日は晴れ。明日は雨。')).toEqual(['今日は晴れ。', '明日は雨。']);
  });

  it('never breaks inside a link, code, math or a tag', () => {
    const long = 'word. Next '.repeat(40).trim();
    for (const whole of [
      `[${long}](https://x.example/)`,
      `\`${long}\``,
      `$${'a. B '.repeat(60)}x$`,
      `![${long}](https://x.example/a.png)`,
    ]) {
      expect(lines(whole)).toEqual([whole]);
    }
  });

  it('breaks a long sentence at a word', () => {
    const words = Array.from({ length: 200 }, (_, i) => `word${i}`);
    const out = lines(words.join(' '));
    expect(out.every((line) => line.length <= PROSE_LINE_CHARS_MAX)).toBe(true);
    expect(out.join(' ')).toBe(words.join(' '));
  });

  it('indents continued lines of a list item or quote', () => {
    expect(lines('- One. Two.\n  10. Three. Four.')).toEqual(['- One.', '  Two.', '  10. Three.', '      Four.']);
    expect(lines('> - One. Two.')).toEqual(['> - One.', '>   Two.']);
  });

  it('closes struck-out text at the end of each line and opens it again on the next', () => {
    expect(lines('- Now ~~it is 50. It was `~~x`. Or [10. A](https://a.dev/~~b)~~ it is 40. The ~~ end.')).toEqual([
      '- Now ~~it is 50.~~',
      '  ~~It was `~~x`.~~',
      '  ~~Or [10. A](https://a.dev/~~b)~~ it is 40.',
      '  The ~~ end.',
    ]);
    expect(lines('~~It is far! ~5 km away.~~')).toEqual(['~~It is far!~~', '~~\\~5 km away.~~']);
    expect(lines('~~閉まる。来ない。~~来る。')).toEqual(['~~閉まる。~~', '~~来ない。~~来る。']);
  });

  it('never begins a line with text that would be a heading, list, quote or fence', () => {
    for (const text of [
      'It ends. # Not a heading',
      'It ends. - Not a list',
      'It ends. > Not a quote',
      'It ends. ``` x',
    ]) {
      expect(lines(text)).toEqual([text]);
    }
    expect(lines('It ends. 2. No list')).toEqual(['It ends. 2.', 'No list']);
  });

  it('keeps code, tables, headings and front matter whole', () => {
    const source = [
      '---',
      'title: One. Two.',
      '---',
      '',
      '# Head. Line. Here.',
      '',
      '```text',
      'One. Two.',
      '',
      '',
      'Three. # x',
      '```',
      '',
      '| A. B. | C |',
      '| --- | --- |',
      '| One. Two. | Three. Four. |',
      '',
      '    indented. Code. Here.',
      '',
      '$$',
      'a. B',
      '$$',
    ];
    expect(runToEnd(splitCitableLines(source)).lines).toEqual(source);
  });

  it('breaks only a line that is too long to show, and reports it', () => {
    const { lines: out, cuts } = runToEnd(splitCitableLines(['```', 'x'.repeat(UNBROKEN_LINE_BYTES_MAX + 10), '```']));
    expect(out.map((line) => line.length)).toEqual([3, UNBROKEN_LINE_BYTES_MAX, 10, 3]);
    expect(cuts).toHaveLength(1);
  });

  it('returns no line that the store would refuse, whatever a long line contains', () => {
    const long = 4 * UNBROKEN_LINE_BYTES_MAX;
    const parts = [
      '>',
      '> ',
      '* ',
      '- ',
      '# ',
      '|',
      '| a ',
      '-',
      '=',
      '`',
      '$',
      '[',
      '<',
      '\\',
      '1. ',
      ' ',
      '\t',
      '。',
      '😀',
      'a',
    ];
    const before = ['', '> ', '- ', '    ', '---\n', '| a |\n| - |\n', '```\n', '$$\n', '<pre>\n'];
    const tooLong = before.flatMap((start) =>
      parts.flatMap((part) => {
        const out = lines(`${start}${part.repeat(long / part.length)}\n\nThe end.`);
        const isWhole = out.at(-1) === 'The end.' && out.every((line) => line.isWellFormed());
        const fits = out.every((line) => utf8Bytes(line) <= UNBROKEN_LINE_BYTES_MAX);
        return isWhole && fits ? [] : [`${JSON.stringify(part)} after ${JSON.stringify(start)}`];
      }),
    );
    expect(tooLong).toEqual([]);
  });

  it('stops at the maximum number of lines, reports this, and closes open code', async () => {
    const many = DOCUMENT_LINES_MAX + 1_000;
    for (const [kind, text] of [
      ['markdown', 'a\n'.repeat(many)],
      ['markdown', 'A b. '.repeat(many)],
      ['markdown', `\`\`\`\n${'a\n'.repeat(many)}`],
      ['text', 'a\n'.repeat(many)],
    ] as const) {
      const { lines: out, cuts } = await read(kind, text);
      expect(out.length).toBeGreaterThanOrEqual(DOCUMENT_LINES_MAX - 1);
      expect(out.length).toBeLessThanOrEqual(DOCUMENT_LINES_MAX + 1);
      expect(cuts).toEqual([expect.stringContaining(String(DOCUMENT_LINES_MAX))]);
      const fences = new CodeFences();
      for (const line of out) fences.take(line);
      expect(fences.open).toBeNull();
    }
  });

  it('keeps every word in order and is idempotent for any prose', () => {
    const piece = fc.constantFrom(
      'Hello',
      'world.',
      'Is it?',
      '[a link. Here](https://x.example/a)',
      '`code. X`',
      '$x. y$',
      '**bold. Text**',
      'e.g.',
      'U.S.',
      '#',
      '-',
      '1.',
      '\\',
      '(See.)',
      '!',
      '<br>',
      '|',
      '\\[',
      '[',
      '](',
      '`',
      '$',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 120 }), (pieces) => {
        const source = pieces.join(' ');
        const out = lines(source);
        const words = (text: string) => text.split(/\s+/).filter((word) => word !== '');
        expect(words(out.join('\n'))).toEqual(words(source));
        expect(runToEnd(splitCitableLines(out)).lines).toEqual(out);
      }),
    );
  });
});
