import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callTool, structured } from '../../support/mcp-call.ts';
import { stories } from '#support/stories.ts';

const BOARD = 'https://board.acme.dev/stable';
const call = async (name: string, args: Record<string, unknown>) => structured(await callTool('modern', name, args));

/** Writes the text of the board. */
const write = (body: string) => fetch(BOARD, { method: 'POST', body });

const words = fc.constantFrom(
  'lock',
  'keeper',
  'the sluice',
  'gate 4',
  'Gezeiten',
  '水門',
  '(closed)',
  '`code`',
  '*star*',
);
const sentence = fc.array(words, { minLength: 2, maxLength: 12 }).map((some) => `${some.join(' ')}. `);
const block = fc.oneof(
  sentence.map((text) => `<h2>${text}</h2>`),
  fc.array(sentence, { minLength: 1, maxLength: 6 }).map((some) => `<p>${some.join('')}</p>`),
  fc
    .array(sentence, { minLength: 1, maxLength: 5 })
    .map((some) => `<ul>${some.map((text) => `<li>${text}</li>`).join('')}</ul>`),
  fc.array(sentence, { minLength: 1, maxLength: 5 }).map((some) => `<pre>${some.join('\n')}</pre>`),
  fc
    .array(sentence, { minLength: 2, maxLength: 4 })
    .map((some) => `<table><tr>${some.map((text) => `<td>${text}</td>`).join('')}</tr><tr><td>1<td>2</tr></table>`),
);
const body = fc
  .tuple(fc.array(block, { minLength: 1, maxLength: 30 }), fc.boolean())
  .map(
    ([blocks, hasMenu]) =>
      `<main>${blocks.join('')}</main>${hasMenu ? '<nav><a href="/">Home</a> <a href="/x">All locks</a></nav>' : ''}`,
  );

const step = fc.oneof(
  { weight: 2, arbitrary: body.map((html) => ({ do: 'change' as const, html })) },
  { weight: 2, arbitrary: fc.constantFrom({ do: 'open_url' as const }, { do: 'web_open' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('scroll' as const),
      pick: fc.nat(),
      loc: fc.nat({ max: 200 }),
      height: fc.integer({ min: 20, max: 200 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('go on' as const),
      pick: fc.nat(),
      delta: fc.integer({ min: -60, max: 60 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('find' as const), pick: fc.nat(), pattern: words }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Records what each cursor has shown. */
class Witness {
  readonly cursors: { cursor: string; lines: string[]; found: Map<string, unknown> }[] = [];

  /** A new cursor, read from its first line to its last. */
  async add(cursor: string): Promise<string[]> {
    const lines: string[] = [];
    for (let loc = 0, count = 1; loc < count;) {
      const view = await call('scroll', { cursor, loc, num_lines: 200 });
      count = Number(/Lines \d+–\d+ of (\d+)/.exec(String(view['render']))?.[1]);
      lines.push(...String(view['text']).split('\n'));
      loc = lines.length;
    }
    this.cursors.push({ cursor, lines, found: new Map() });
    return lines;
  }

  /** Reads one cursor. @returns each shown value with the expected one */
  async look(one: Step): Promise<[shown: unknown, known: unknown][]> {
    const known = 'pick' in one ? this.cursors[one.pick % Math.max(1, this.cursors.length)] : undefined;
    if (known === undefined || !('pick' in one)) return [];
    const { cursor, lines, found } = known;
    if (one.do === 'find') {
      const matches = (await call('find', { cursor, pattern: one.pattern }))['matches'] as { loc: number }[];
      const first = found.get(one.pattern) ?? matches;
      found.set(one.pattern, first);
      return [
        [matches, first],
        [matches.filter(({ loc }) => lines[loc] === undefined), []],
      ];
    }
    const move = one.do === 'scroll' ? { loc: one.loc, num_lines: one.height } : { delta: one.delta };
    const view = await call('scroll', { cursor, ...move });
    const { start, end } = view['viewport'] as { start: number; end: number };
    return [
      [view['text'], lines.slice(start, end + 1).join('\n')],
      [view['citation'], { cursor, L_start: start, L_end: end }],
    ];
  }
}

describe('the lines under a cursor', () => {
  it('never change, whatever happens to the page, and a changed page is a new document', async () => {
    await fc.assert(
      fc.asyncProperty(body, fc.array(step, { minLength: 6, maxLength: 14 }), async (first, steps) => {
        const witness = new Witness();
        const read = new Map<string, string>();
        let html = first;
        await write(html);
        for (const one of [{ do: 'open_url' as const }, ...steps]) {
          if (one.do === 'change') await write((html = one.html));
          if (one.do !== 'open_url' && one.do !== 'web_open') {
            for (const [shown, known] of await witness.look(one)) expect(shown).toEqual(known);
            continue;
          }
          const { cursor } = await call(one.do, { url: BOARD, ...(one.do === 'web_open' ? { refresh: true } : {}) });
          const text = (await witness.add(String(cursor))).join('\n');
          // The same page has the same lines again, and no cursor shows another page's.
          expect(read.get(html) ?? text).toBe(text);
          read.set(html, text);
        }
        for (const { cursor, lines } of witness.cursors) {
          const again = new Witness();
          expect(await again.add(cursor)).toEqual(lines);
        }
      }),
      { numRuns: stories(2) },
    );
  });

  it('are those of the page when it was opened', async () => {
    await write('<main><p>The gate opens at six.</p></main>');
    const before = await call('open_url', { url: BOARD });
    await write('<main><p>The gate opens at seven.</p></main>');
    const after = await call('open_url', { url: BOARD });
    expect([before['text'], after['text']]).toEqual(['The gate opens at six.', 'The gate opens at seven.']);
    expect((await call('scroll', { cursor: before['cursor'], loc: 0 }))['text']).toBe('The gate opens at six.');
    expect((await call('find', { cursor: before['cursor'], pattern: 'seven' }))['matches']).toEqual([]);
    expect((await call('find', { cursor: after['cursor'], pattern: 'seven' }))['matches']).toHaveLength(1);
  });
});
