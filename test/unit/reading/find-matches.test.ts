import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PeriscopeError } from '#core/failures/failure.ts';
import { FIND_MATCHES_MAX, FIND_STEPS_MAX } from '#reading/limits.ts';
import { compilePattern } from '#reading/find/matcher.ts';
import { hostileSize } from '#support/stories.ts';
import { toSearchableChunks } from '#core/text/seen-text.ts';
import { noPause } from '#core/flow/turns.ts';
import { findMatches } from '#reading/find/find-matches.ts';
import type { FindResult } from '#reading/find/find-matches.ts';

async function* chunksOf(lines: readonly string[], size = 1000) {
  for (let at = 0; at < lines.length; at += size) yield { firstLine: at, lines: lines.slice(at, at + size) };
}

async function find(
  lines: readonly string[],
  pattern: string,
  isRegex = false,
  restStart: number | null = null,
  size = 1000,
): Promise<FindResult> {
  const [matcher, ...others] = compilePattern(pattern, isRegex);
  const search = (one: typeof matcher) =>
    findMatches({ chunks: toSearchableChunks(chunksOf(lines, size), true), restStart }, one, noPause);
  let result = await search(matcher);
  for (const other of others) if (result.total === 0) result = await search(other);
  return result;
}

const places = async (lines: readonly string[], pattern: string, isRegex = false) =>
  (await find(lines, pattern, isRegex)).matches.map(({ loc }) => loc);

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof PeriscopeError) return error.failure.code;
  }
  return 'none';
}

describe('find', () => {
  it('finds literal text in any case, one entry per line, with line numbers that continue across chunks', async () => {
    const lines = Array.from({ length: 2500 }, (_, n) => (n % 1000 === 7 ? 'A (Needle) and a needle' : 'hay'));
    const { matches, total } = await find(lines, '(needle)');
    expect(matches.map((match) => match.loc)).toEqual([7, 1007, 2007]);
    expect(total).toBe(3);
  });

  it.each([
    ['10^2', 'An area of 10<sup>2</sup> m.'],
    ['10^2', 'An area of 10² m.'],
    ['10^{2}', 'An area of 10<sup>2</sup> m.'],
    ['10^2', 'An area of ${10}^{2}$ m.'],
    ['10^-19', 'A charge of 10<sup>-19</sup> C.'],
    ['10⁻¹⁹', 'A charge of 10<sup>−19</sup> C.'],
    ['m^2', '| Area | 3 m<sup>2</sup> |'],
    ['m²', '| Area | 3 m<sup>2</sup> |'],
    ['m2', 'An area of 3 m².'],
    ['H_2O', 'Add H<sub>2</sub>O.'],
    ['H_2O', 'Add H₂O.'],
    ['H2O', 'Add H<sub>2</sub>O.'],
    ['H2O', 'Add $H_{2}O$.'],
    ['E=mc^2', 'It is E = mc².'],
    ['E=mc^2', 'It is E = mc<sup>2</sup>.'],
    ['E=mc^2', 'It is $E = m c^{2}$.'],
    ['$E = mc^2$', 'It is E = mc².'],
    ['$E = mc^2$', 'It is $E=mc^{2}$.'],
    ['E = mc²', 'It is $E=mc^2$.'],
    ['E = mc²', 'It is $$E=mc^2$$'],
    ['a+b=c', 'Then a + b = c holds.'],
    ['a + b = c', 'Then $a+b=c$ holds.'],
    ['Then $a + b = c$ holds', 'Then $a+b=c$ holds.'],
    ['α ≤ 3', String.raw`Let $\alpha \le 3$.`],
    [String.raw`$\alpha\leq3$`, 'Let α ≤ 3.'],
    [String.raw`\alpha \leq 3`, String.raw`Let $\alpha \le 3$.`],
    ['x_1 + x_2', 'A sum of $x_{1}+x_{2}$.'],
    ['~~50~~ 40', 'It costs ~~50~~ 40.'],
    ['`a_b(1)`', 'Call `a_b(1)` now.'],
    ['2 * 3 * 4', String.raw`It is 2 \* 3 \* 4.`],
    ['a_b_c', String.raw`Set \_a\_b\_c\_ to 1.`],
    ['<T>', String.raw`Use List\<T> here.`],
  ])('finds %j, as a result shows it, in %j', async (pattern, line) => {
    expect(await places(['Other 10 2 words.', '', line], pattern)).toEqual([2]);
  });

  it('finds a power only where the page has it', async () => {
    expect(await places(['Room 102 is on floor 10, row 2.'], '10^2')).toEqual([]);
    expect(await places(['See 102.', '', 'It is 10<sup>2</sup>.'], '10^2')).toEqual([2]);
    expect(await places(['```', 'x = 10^2', '```'], '10^2')).toEqual([1]);
  });

  it('finds a formula only where the page has it', async () => {
    const lines = ['data = base, ab = cd', 'a = bc', '', 'A cost of $5 a+b, or b=$6.', 'E = mc 2'];
    for (const pattern of [String.raw`\left`, 'a=b', 'b=c', '$5a', 'a + b = c', 'E=mc^2', 'b+c'])
      expect([pattern, await places(lines, pattern)]).toEqual([pattern, []]);
    expect(await places(['See a == b.', '', 'See $a = b$.'], 'a=b')).toEqual([2]);
  });

  it('finds struck-out and raised text without its marks, and shows it with them', async () => {
    const lines = [
      '# Prices ~~2030~~',
      '',
      'It costs ~~50 €~~ 10<sup>2</sup> €.',
      '',
      '| ~~50 €~~ | x |',
      '| --- | --- |',
    ];
    const shown = async (pattern: string) =>
      (await find(lines, pattern)).matches.map(({ loc, preview, line }) => [loc, preview, line]);
    expect(await shown('costs 50 €')).toEqual([[2, 'It costs ~~50 €~~ 10^2 €.', 'It costs ~~50 €~~ 10^2 €.']]);
    expect(await shown('~~50 €~~')).toHaveLength(2);
    expect((await find(lines, '50 € x')).matches).toMatchObject([
      { preview: '~~50 €~~ x', line: '~~50 €~~\tx', section: { text: 'Prices ~~2030~~' } },
    ]);
    const long = `${'~~a~~ b. '.repeat(100)}the needle ${'c. '.repeat(100)}`;
    expect((await find([long], 'needle')).matches[0]?.preview).toContain('needle');
  });

  it('finds Persian text with its joiner, without it, and with a space instead', async () => {
    const joined = ['می\u200cخواهم', 'other'];
    expect(await places(joined, 'می\u200cخواهم')).toEqual([0]);
    expect(await places(joined, 'میخواهم')).toEqual([0]);
    expect(await places(joined, 'می خواهم')).toEqual([0]);
    expect(await places(['میخواهم'], 'می\u200cخواهم')).toEqual([0]);
    expect(await places(['می خواهم', 'میخواهم'], 'می خواهم')).toEqual([0]);
  });

  it('accepts a regular expression on request, case-sensitive by default', async () => {
    expect((await find(['Error 12', 'error 13'], String.raw`Error \d+`, true)).total).toBe(1);
    expect((await find(['Error 12', 'error 13'], String.raw`(?i)error \d+$`, true)).total).toBe(2);
  });

  it('finds each of a hundred matches across line ends of code', async () => {
    const lines = [
      '```',
      ...Array.from({ length: 200 }, (_, n) => (n % 2 === 0 ? 'open the' : 'gate of the lock')),
      '```',
    ];
    expect((await find(lines, String.raw`the\ngate`, true)).total).toBe(100);
  });

  it('lists as many matches as the limit allows, and states the total', async () => {
    const { matches, total } = await find(
      Array.from({ length: 500 }, () => 'x'),
      'x',
    );
    expect(matches.length).toBe(FIND_MATCHES_MAX);
    expect(total).toBe(500);
  });

  it('shows the part of a long line that contains the match', async () => {
    const { matches } = await find([`${'left '.repeat(200)}needle${' right'.repeat(200)}`], 'needle');
    expect(matches[0]?.preview).toContain('needle');
    expect(matches[0]?.preview.length).toBeLessThanOrEqual(160);
  });

  it('refuses an empty, overlong, malformed, back-referring or exploding pattern, by name', () => {
    for (const pattern of ['(', String.raw`(a)\1`, '(?=x)', '[z-a]', '*']) {
      expect(codeOf(() => compilePattern(pattern, true))).toBe('invalid_argument');
    }
    expect(codeOf(() => compilePattern('((a{1,100}){1,100}){1,10}', true))).toBe('invalid_argument');
    expect(codeOf(() => compilePattern('', false))).toBe('invalid_argument');
    expect(codeOf(() => compilePattern('x'.repeat(257), false))).toBe('invalid_argument');
  });

  it('stays within its work budget on exponential patterns, and reports where it stopped', async () => {
    const line = `${'a'.repeat(400)}!`;
    const lines = Array.from({ length: hostileSize(3000) }, () => line);
    for (const pattern of ['(a+)+$', '(a|a)+$', '(a|aa)+$', '(.*a){12}$', '^(a?){25}a{25}$']) {
      const { total, stoppedAt } = await find(lines, pattern, true);
      expect(total).toBe(0);
      const searched = stoppedAt ?? lines.length;
      expect(searched).toBeGreaterThan(500);
    }
    const costly = await find(
      Array.from({ length: 9000 }, () => line),
      '(?:a{1,12}){1,10}!x',
      true,
    );
    expect(costly.stoppedAt).not.toBeNull();
    expect((costly.stoppedAt ?? 0) * line.length).toBeLessThan(FIND_STEPS_MAX);
  });
});

describe('find in the visible text', () => {
  const LINK = (text: string) => `[${text}](https://docs.example/asyncio.timeout_(x).html#asyncio.timeout "A title")`;
  for (const [line, pattern] of [
    ['- **[`wal_level`](#GUC-WAL-LEVEL) (`enum`)**', 'wal_level (enum)'],
    [
      `#### pub fn ${LINK('entry')}(\\&mut self, key: ${LINK('K')}) -> ${LINK('Entry')}\\<K>`,
      'pub fn entry(&mut self, key: K)',
    ],
    ['See **apt-get**(8) for more.', 'apt-get(8)'],
    ['What’s New in this version', "What's New"],
    ["What's new", 'What’s New'],
    ['ＡＰＴの使い方', 'APT'],
    ['apt の使い方', 'ＡＰＴ'],
    ['APT の 使い方', 'APTの使い方'],
    ['APTの使い方。', 'APT の使い方。'],
    ['검색 결과', '검색 결과'],
    ['a no-break\u00a0space and a hyphen\u2010minus', 'no-break space and a hyphen-minus'],
    ['“Quoted” words – and dashes', '"quoted" words - and'],
    ['Read `a` *and* **b**  twice', 'a and b twice'],
    ['Straße and ﬁne print', 'fine print'],
    ['| `name` | **text** |', 'name'],
    ['> - 1. *quoted* item', 'quoted item'],
  ] as const) {
    it(`matches ${pattern} in ${line}`, async () => {
      expect(await places(['# Heading', '', line], pattern)).toEqual([2]);
    });
  }

  it('does not match the addresses of links', async () => {
    expect(
      await places([LINK('a timeout'), '', `![asyncio](https://docs.example/asyncio.timeout.png)`], 'asyncio.timeout'),
    ).toEqual([]);
    expect(await places([LINK('a timeout')], String.raw`asyncio\.timeout`, true)).toEqual([]);
  });

  it('matches code literally, including marks', async () => {
    const lines = ['```c', 'int *p = a[i](x) ** `b`;', '```', '', 'p = ai(x)'];
    expect(await places(lines, 'int *p = a[i](x) ** `b`')).toEqual([1]);
  });

  it('matches phrases that continue in the next line, but not in the next block', async () => {
    const lines = ['Call it once.', 'Then wait.', '', '- One item', '- of two', '', 'これは一つ。', '次の文です。'];
    expect(await places(lines, 'once. Then wait')).toEqual([0]);
    expect(await places(lines, 'wait. One')).toEqual([]);
    expect(await places(lines, 'item of two')).toEqual([]);
    expect(await places(lines, '一つ。次の文')).toEqual([6]);
    expect(await places(lines, '一つ。 次の文')).toEqual([6]);
  });

  it('reports a regular expression that matches across sentence lines where the match begins', async () => {
    const lines = [
      'Call it once.',
      'Then *wait* for',
      'the **answer**.',
      '',
      '- One item',
      '- of two',
      '',
      'これは一つ。',
      '次の文です。',
    ];
    expect(await places(lines, String.raw`once\.\s+Then`, true)).toEqual([0]);
    expect(await places(lines, String.raw`wait.*answer`, true)).toEqual([1]);
    expect(await places(lines, String.raw`Call[^!]+answer\.$`, true)).toEqual([0]);
    expect(await places(lines, String.raw`answer\W+One|item\W+of`, true)).toEqual([]);
    expect(await places(lines, '一つ。次の', true)).toEqual([7]);
  });

  it('reports a regular expression that matches a line there, not on earlier lines', async () => {
    const lines = ['Call it.', 'Wait a while.', 'Call the other.', 'Wait.', 'Then call: wait.'];
    expect(await places(lines, '.*while', true)).toEqual([1]);
    expect(await places(lines, '^Wait', true)).toEqual([1, 3]);
    expect(await places(lines, String.raw`\.$`, true)).toEqual([0, 1, 2, 3, 4]);
    // Matches across line ends do not overlap: the first one ends at the last "Wait" before a line that matches alone.
    expect(await places(lines, '(?i)call.*wait', true)).toEqual([0, 4]);
  });

  it('matches phrases across line ends of code, whatever their indent, but not across a blank line or a fence', async () => {
    const lines = [
      '```',
      '   The words MAY are to be',
      '   interpreted  as',
      '',
      '   described.',
      '```',
      'Prose.',
      '```py',
    ];
    expect(await places(lines, 'are to be interpreted as')).toEqual([1]);
    expect(await places(lines, 'be interpreted as described')).toEqual([]);
    expect(await places(lines, 'described. ```')).toEqual([]);
    expect(await places(lines, '```py')).toEqual([7]);
    const { matches } = await find([`\`\`\``, `${'x '.repeat(100)}one `, '\tneedle', '```'], 'one needle');
    expect(matches[0]?.preview).toMatch(/x one$/);
  });

  it('matches a regular expression with white space across such a line end, while a dot stays in its line', async () => {
    const lines = ['```', '  are to be', '  interpreted', '  as one', '```'];
    expect(await places(lines, String.raw`to\s+be\s+interp`, true)).toEqual([1]);
    expect(await places(lines, 'be.*interp|interp.*one', true)).toEqual([]);
    expect(await places(lines, '^ +interpreted$', true)).toEqual([2]);
  });

  it('matches cells with line breaks and escaped bars as separate words', async () => {
    const lines = ['| Type | Names |', '| --- | --- |', '| INTEGER | INT<br>TINYINT<br>`a\\|b` |'];
    expect(await places(lines, String.raw`\bINT\b`, true)).toEqual([2]);
    expect(await places(lines, 'a|b')).toEqual([2]);
    expect((await find(lines, 'tinyint')).matches[0]?.preview).toBe('INTEGER INT TINYINT a|b');
  });

  it('works whether its chunks end between blocks or within them', async () => {
    const lines = [
      '# Over the end',
      '',
      'Call it once.',
      'Then **wait** for',
      'the answer.',
      '',
      '```',
      'open the gate',
      '  of iron',
      '```',
      '- これは一つ。',
      '次の文です。',
    ];
    for (const pattern of ['once. then wait for the answer', 'the gate of iron', '一つ。次の文', 'answer']) {
      const whole = await find(lines, pattern);
      expect(whole.total).toBe(1);
      for (let size = 1; size <= lines.length; size += 1)
        expect(await find(lines, pattern, false, null, size)).toEqual(whole);
    }
    for (const pattern of [String.raw`once\.\s+Then.*answer`, String.raw`gate\s+of`]) {
      const whole = await find(lines, pattern, true);
      expect(whole.total).toBe(1);
      for (let size = 1; size <= lines.length; size += 1)
        expect(await find(lines, pattern, true, null, size)).toEqual(whole);
    }
  });

  it('never treats a control character of a page as a mark of this server', async () => {
    expect(await places(['A\u0002B', '', 'needle \u0004 there'], 'needle')).toEqual([2]);
    expect(await places(['one\u0004two'], 'one two')).toEqual([0]);
  });

  it('matches text that was copied with its marks', async () => {
    expect(await places(['The `wal_level` (`enum`) setting'], '`wal_level` (`enum`)')).toEqual([0]);
  });

  it('names the section of each match', async () => {
    const lines = ['# One', '', 'needle', '', '## *Two*', '', 'needle', '', '## A needle', '', '# Needle'];
    const { matches } = await find(lines, 'needle');
    expect(matches.map(({ level, section }) => [level, section?.text])).toEqual([
      [0, 'One'],
      [0, 'Two'],
      [2, 'One'],
      [1, undefined],
    ]);
  });

  it('lists only those sections of the rest of a page that have a match', async () => {
    const lines = ['# One', '', 'needle', '', 'needle', '', '## Menu', '', 'needle'];
    const { matches } = await find(lines, 'needle', false, 4);
    expect(matches.map(({ loc, section }) => [loc, section?.text])).toEqual([
      [2, 'One'],
      [4, undefined],
      [8, 'Menu'],
    ]);
  });

  it('distinguishes a line of this server from the text around it', async () => {
    const lines = ['## Locks', '', '- A gate', '- of oak', '<!-- The rest of the page -->', 'of iron', '', 'Home'];
    const { matches } = await find(lines, 'iron', false, 4);
    expect(matches.map(({ loc, section }) => [loc, section])).toEqual([[5, null]]);
    expect(await places(lines, 'oak of iron')).toEqual([]);
    expect(await places(lines, 'oak <!-- The rest')).toEqual([]);
    expect(await places(lines, 'The rest of the page')).toEqual([4]);
  });

  it('ranks the best match first: a heading before other lines, the main part before the rest', async () => {
    const lines = ['needle', '', '## Needles', '', 'needle', '', '## A needle', '', '# Needle'];
    expect((await find(lines, 'needle', false, 8)).best[0]?.loc).toBe(6);
    expect((await find(lines, 'needle', false, 1)).best[0]?.loc).toBe(0);
    expect((await find(lines, 'pin')).best).toEqual([]);
    const terms = ['- [thread size](#t)', '- thread size: 5', '', '- **`thread size`**', '  Of a needle.'];
    expect((await find(terms, 'Thread size')).best[0]?.loc).toBe(3);
    expect((await find([...terms, '', '## On thread size'], 'Thread size')).best[0]?.loc).toBe(6);
  });

  it('treats a line that begins with the match as its definition, and a separate link as no answer', async () => {
    const lines = [
      '- [wool_limit](#wool_limit)',
      '',
      'See wool_limit for more.',
      '',
      '**[wool_limit](#wool_limit) (default: 5)**',
      '',
      '| [cotton_limit](#c) | 7 |',
      '',
      'A cotton_limit.',
    ];
    expect((await find(lines, 'wool_limit')).best[0]?.loc).toBe(4);
    expect((await find(lines, 'WOOL_LIMIT|wool_l.*t', true)).best[0]?.loc).toBe(4);
    expect((await find(lines, 'cotton_limit')).best[0]?.loc).toBe(6);
    expect((await find(lines.slice(0, 3), 'wool_limit')).best[0]?.loc).toBe(2);
    expect((await find(lines.slice(0, 1), 'wool_limit')).best[0]?.loc).toBe(0);
    const code = ['```', 'pop [--index]', '\t--index::', '```'];
    expect((await find(code, '--index')).best[0]?.loc).toBe(2);
  });

  it('shows headings and whole words of the main part first when there are too many matches', async () => {
    const partial = Array.from({ length: 60 }, () => ['needlework', '']).flat();
    const lines = [...partial, 'a needle', '', '## The needle', '', '## Needlecraft', '', 'needle', '## needle'];
    const { matches, total } = await find(lines, 'needle', false, lines.length - 2);
    expect(total).toBe(65);
    expect(matches).toHaveLength(FIND_MATCHES_MAX);
    expect(matches.slice(0, 3).map(({ loc }) => loc)).toEqual([122, 120, 124]);
    expect(matches.every(({ loc }) => loc < lines.length - 2)).toBe(true);
  });

  it('matches every phrase of a line, however it is marked', async () => {
    const word = fc.stringMatching(/^[a-zäöüА-яα-ω]{1,8}$/u);
    const marked = fc.tuple(word, fc.constantFrom('', '**', '*', '`', 'link')).map(([text, mark]) => ({
      text,
      markdown:
        mark === 'link' ? `[${text}](https://docs.example/${'x'.repeat(text.length)})` : `${mark}${text}${mark}`,
    }));
    await fc.assert(
      fc.asyncProperty(fc.array(marked, { minLength: 1, maxLength: 12 }), fc.nat(), fc.nat(), async (words, a, b) => {
        const start = a % words.length;
        const phrase = words
          .slice(start, start + 1 + (b % words.length))
          .map(({ text }) => text)
          .join(' ');
        const cut = b % words.length;
        const line = (part: typeof words) => part.map(({ markdown }) => markdown).join(' ');
        const lines = [
          '# A heading',
          '',
          ...[line(words.slice(0, cut)), line(words.slice(cut))].filter((text) => text !== ''),
        ];
        expect((await find(lines, phrase)).total).toBeGreaterThan(0);
      }),
    );
  });

  it('searches 5 MB to the end', async () => {
    const text = `A **sentence** about [\`things\`](https://docs.example/things) that – “mostly” – nobody needs to read.`;
    const lines = Array.from({ length: 5_000_000 / text.length }, () => [text, '']).flat();
    const { total, stoppedAt } = await find(lines, 'never to be found');
    expect([total, stoppedAt]).toEqual([0, null]);
  });
});
