import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chart } from '#scripts/docs/scoreboard/chart.ts';
import { scoreboardPage } from '#scripts/docs/scoreboard/page.ts';
import { isOnPage, readRows } from '#scripts/docs/scoreboard/rows.ts';
import type { MeasuredRow, Row } from '#scripts/docs/scoreboard/rows.ts';
import { agedRows } from '#scripts/docs/scoreboard/stale.ts';
import { compare } from '#scripts/docs/scoreboard/standing.ts';
import about from '../../../package.json';

const PROJECT = join(import.meta.dirname, '../../..');
const MEASURED = { date: '2026-11-28', commit: '0123abcd', n: 24, value: '0.50', others: {} };

function rowWith(changes: Partial<Row>, measured: Partial<MeasuredRow['measured']> = {}): MeasuredRow {
  return {
    id: 'one',
    table: 'answers',
    what: 'Recall',
    command: 'node bench/one.ts',
    measures: ['src'],
    data: 'unseen',
    better: 'high',
    published: [],
    isStale: false,
    ...changes,
    measured: { ...MEASURED, ...measured },
  };
}

describe('the comparison of a row', () => {
  it.each([
    ['ahead', false, rowWith({}, { others: { a: '0.46', b: '0.33' } })],
    ['behind', false, rowWith({}, { others: { a: '0.46', b: '0.58' } })],
    ['behind', true, rowWith({}, { interval: [0.31, 0.69], others: { b: '0.58' } })],
    ['level', false, rowWith({ better: 'low' }, { value: '0', others: { a: '0' } })],
    ['ahead', false, rowWith({ better: 'low' }, { value: '3,212', others: { a: '17,126', b: '9,782' } })],
    ['behind', false, rowWith({ published: [{ name: 'c', value: '.6', source: 'its paper' }] }, { value: '.5' })],
  ])('is "%s", within the interval: %s', (standing, isWithinInterval, row) => {
    expect(compare(row)).toMatchObject({ standing, isWithinInterval });
  });

  it('is missing without a rival', () => {
    expect(compare(rowWith({}))).toBeNull();
  });
});

describe('the scoreboard page', () => {
  const lost = rowWith({ id: 'lost', what: 'Lost' }, { interval: [0.31, 0.69], others: { rival: '0.90' } });
  const stale = rowWith({ id: 'stale', what: 'Stale', isStale: true });
  const { measured: _, ...unmeasured } = rowWith({ id: 'unmeasured', what: 'Unmeasured' });
  const page = scoreboardPage([lost, stale, unmeasured]);

  it('shows date, commit, n, interval, command and kind of data of a row, and marks rows where a rival is better', () => {
    expect(page).toContain(
      '| Lost (unseen) | 0.50 (0.31–0.69), n 24 | rival 0.90 | behind | 2026-11-28, 0123abcd: `node bench/one.ts` |',
    );
    expect(page).toContain('behind in 1');
  });

  it('omits rows that are older than the code, and rows without a measurement', () => {
    expect(page).not.toMatch(/\| (?:Stale|Unmeasured)/);
    expect(page).toContain('Rows older than the code they measure are left out: 1.');
  });

  it('names the publisher of figures that were not measured here', () => {
    const published = [{ name: 'other', value: '.6', source: 'its paper' }];
    expect(scoreboardPage([rowWith({ published })])).toContain('other .6 (published, not run here: its paper)');
  });

  it('has one dot for each row with a rival, and a hollow one if the difference may be chance', () => {
    const near = rowWith({ id: 'near', what: 'Near' }, { interval: [0.31, 0.69], others: { rival: '0.58' } });
    const drawn = chart([lost, near, rowWith({})]);
    expect(drawn.match(/<circle/g)).toHaveLength(2);
    expect(drawn.match(/<circle[^>]*fill="#ffffff"/g)).toHaveLength(1);
  });
});

describe('the rows of the project', () => {
  const rows = readRows();

  it('measure existing paths by existing commands', () => {
    const missing = rows.flatMap(({ measures }) => measures).filter((path) => !existsSync(join(PROJECT, path)));
    expect(missing).toEqual([]);
    const scripts = Object.keys(about.scripts);
    for (const { command } of rows) {
      const [, script, file] = /^(?:npm run (\S+)|node (\S+))/.exec(command) ?? [];
      if (script === undefined) expect(existsSync(join(PROJECT, file ?? ''))).toBe(true);
      else expect(scripts).toContain(script);
    }
  });

  it('have an interval around their value', () => {
    for (const { measured } of rows.filter(isOnPage)) {
      const [low, high] = measured.interval ?? [0, Infinity];
      expect(low).toBeLessThanOrEqual(high);
    }
  });

  it('are refused with a duplicate id', () => {
    expect(() => readRows(JSON.stringify([rows[0], rows[0]]))).toThrow(/used twice/);
  });
});

describe('a stale row', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'periscope-stale-'));
  const clone = join(scratch, 'clone');
  let measuredAt = '';

  const git = (cwd: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a.example', ...args], {
      cwd,
      encoding: 'utf8',
    }).trim();
  const commit = (file: string, text = String(Math.random())) => {
    writeFileSync(join(clone, file), text);
    git(clone, 'add', '.');
    git(clone, 'commit', '-qm', file);
    return git(clone, 'rev-parse', '--short=8', 'HEAD');
  };
  const aged = (project: string, at: string, measures: string[]) =>
    agedRows(project, [rowWith({ measures }, { commit: at })]);

  beforeAll(() => {
    mkdirSync(join(clone, 'src/a'), { recursive: true });
    mkdirSync(join(clone, 'src/b'));
    mkdirSync(join(clone, 'src/c'));
    git(clone, 'init', '-q', '-b', 'main');
    measuredAt = commit('src/a/one.ts');
    commit('src/b/two.ts');
  });
  afterAll(() => rmSync(scratch, { recursive: true }));

  it('is one whose measured code changed in a later commit, while changes of other code do not matter', () => {
    expect(aged(clone, measuredAt, ['src/a'])).toEqual([]);
    expect(aged(clone, measuredAt, ['src/a', 'src/b'])).toMatchObject([
      { id: 'one', isOnPage: true, why: expect.stringMatching(/^1 later commit/) },
    ]);
  });

  it('is not one whose measured code has other comments, types or spaces only', () => {
    const before = commit('src/c/three.ts', '/** Adds one. */\nexport const more = (n) => n + 1;\n');
    commit('src/c/three.ts', 'export const more = (n: number) =>\n  n + 1; // one\n');
    expect(aged(clone, before, ['src/c'])).toEqual([]);
    commit('src/c/three.ts', 'export const more = (n: number) => n + 2;\n');
    expect(aged(clone, before, ['src/c'])).toMatchObject([{ why: expect.stringMatching(/^2 later commits/) }]);
  });

  it('is one whose commit is not in the history', () => {
    expect(aged(clone, 'ffffffff', ['src/a'])).toMatchObject([{ why: expect.stringMatching(/not in this history/) }]);
  });

  it('is uncertain in a shallow clone', () => {
    const shallow = join(scratch, 'shallow');
    git(scratch, 'clone', '-q', '--depth=1', `file://${clone}`, shallow);
    const head = git(shallow, 'rev-parse', '--short=8', 'HEAD');
    expect(aged(shallow, head, ['src/a'])).toMatchObject([{ why: expect.stringMatching(/^a shallow clone/) }]);
  });

  it('is listed as stale, both on the page and when left out of it', () => {
    const rows = [rowWith({ isStale: true, measures: ['src/b'] }, { commit: measuredAt })];
    expect(agedRows(clone, rows)).toMatchObject([{ isOnPage: false }]);
  });
});
