import { describe, expect, it } from 'vitest';
import { joinPiecesIntoLines } from '#browsing/view/join-pieces.ts';
import { writeParts } from '#browsing/view/view-line.ts';

const LONG = 'kelp '.repeat(50).trim();

function joined(texts: readonly string[], maxChars = 100): string {
  const lines = joinPiecesIntoLines(
    texts.map((text) => ({ text })),
    maxChars,
    () => 'element',
  );
  return lines.map((parts) => writeParts(parts)).join('\n');
}

describe('a line whose text is cut', () => {
  it.each([
    [['Before it', ` ${LONG}`], /^Before it kelp /u],
    [['Before it ', ` ${LONG}`], /^Before it kelp /u],
    [['Before it', `, ${LONG}`], /^Before it, kelp /u],
    [['Before it', LONG], /^Before itkelp /u],
    [[` ${LONG}`], /^kelp /u],
  ])('has a space before the cut text only if the text has one: %j', (texts, line) => {
    expect(joined(texts)).toMatch(line);
  });

  it('ends struck-out text that is cut, and begins none that is omitted', () => {
    expect(joined(['Price ', '~~', LONG, '~~', ' 40', '~~', '50', '~~'])).toMatch(
      /^Price ~~kelp [kelp ]*…~~ \(\+\d+ characters: browser_read\)$/u,
    );
  });

  it('escapes text that looks like a ref once', () => {
    expect(joined([`mail @e5 ${LONG}`])).toContain(String.raw`mail \@e5 kelp`);
  });
});
