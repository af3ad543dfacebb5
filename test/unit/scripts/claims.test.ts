import { describe, expect, it } from 'vitest';
import { constantsOf, untold, wrongClaims } from '#scripts/docs/claims.ts';

const constants = constantsOf(
  new Map([
    ['src/core/limits.ts', 'export const SECOND_MS = 1_000;\nexport const MINUTE_MS = 60 * SECOND_MS;\n'],
    [
      'src/net/limits.ts',
      'export const WAIT_MS = 2 * MINUTE_MS;\nconst LINES_MAX = 5;\nexport const RATE = { burst: 50, everyMs: 250 } as const;',
    ],
    ['src/reading/limits.ts', 'const LINES_MAX = 6;'],
    [
      'src/core/config/config.ts',
      'const schema = z.object({\n  IDLE_MINUTES: wholeNumberSetting(10, 1, 60).describe("how long"),\n});',
    ],
  ]),
);

describe('constantsOf', () => {
  it.each([
    ['WAIT_MS', 120_000],
    ['RATE.burst', 50],
    ['RATE.everyMs', 250],
    ['IDLE_MINUTES', 10],
    ['net/limits.ts:LINES_MAX', 5],
    ['reading/limits.ts:LINES_MAX', 6],
  ])('reads %s', (name, value) => {
    expect(constants(name)).toBe(value);
  });

  it.each(['LINES_MAX', 'GONE', 'RATE', 'RATE.gone'])('does not guess the value of %s', (name) => {
    expect(constants(name)).toBeNull();
  });
});

describe('wrongClaims', () => {
  const wrongIn = (text: string, waits = 120_000) =>
    wrongClaims('docs/a.md', text, [['waits 2 min', 'WAIT_MS', waits]], ['for 30 days elsewhere'], constants);
  const RIGHT = 'A call waits\n2 min, for 30 days elsewhere, with two people.\n';

  it('finds nothing in a document that matches the code', () => {
    expect(wrongIn(RIGHT)).toEqual([]);
  });

  it('finds a constant that has another value', () => {
    expect(wrongIn(RIGHT, 60_000)).toEqual(['docs/a.md says "waits 2 min", but WAIT_MS is 120000.']);
  });

  it('finds a claim that the document no longer makes', () => {
    expect(wrongIn('It goes on for 30 days elsewhere.')).toEqual([
      'docs/a.md does not say "waits 2 min" any more: scripts/docs/claims.ts does.',
    ]);
  });

  it.each(['40 ms', '8,000 elements', 'fifty dialogs', '128 random bits'])(
    'finds %s, which no claim covers',
    (number) => {
      expect(wrongIn(`${RIGHT}And ${number}.`)).toEqual([expect.stringContaining(`says "${number}"`)]);
    },
  );

  it('skips fences and generated text', () => {
    expect(
      wrongIn(`${RIGHT}\n\`\`\`sh\nsleep # 40 ms\n\`\`\`\n<!-- costs:start -->\n5 hours\n<!-- costs:end -->\n`),
    ).toEqual([]);
  });
});

describe('untold', () => {
  const documents: Record<string, string> = {
    'kinds.ts': "type Kind = 'told' | 'left';\ntype Other = 'else';\n",
    'docs/a.md': 'One is `told`.\n',
  };
  const list = { page: 'docs/a.md', file: 'kinds.ts', each: /'(\w+)'/g, told: (name: string) => `\`${name}\`` };
  const read = (file: string) => documents[file] ?? '';

  it('finds names of a file that the document omits', () => {
    expect(untold({ ...list, within: /^type Kind = [^;]+;/gm }, read)).toEqual([
      'docs/a.md does not tell of left, which kinds.ts has.',
    ]);
  });

  it('fails if the file no longer has the list', () => {
    expect(() => untold({ ...list, within: /^type Gone/gm }, read)).toThrow('finds nothing in kinds.ts');
  });
});
