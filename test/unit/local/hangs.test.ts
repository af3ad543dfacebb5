import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Hangs } from '#scripts/local/hangs.ts';

const [ONE, OTHER] = ['1'.repeat(64), '2'.repeat(64)];
const DAY_MS = 86_400_000;

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'periscope-hangs-'));
  file = join(folder, 'below/hangs.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a page that was being read when the server hung', () => {
  it('is skipped after the second time, even after a restart', () => {
    expect(new Hangs(file).note([ONE, OTHER, ONE])).toEqual([]);
    const next = new Hangs(file);
    expect(next.note([ONE])).toEqual([ONE]);
    expect([next.isSkipped(ONE), next.isSkipped(OTHER)]).toEqual([true, false]);
    expect(new Hangs(file).skipped()).toEqual([ONE]);
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('is not skipped if its work was completed in between', () => {
    const hangs = new Hangs(file);
    hangs.note([ONE]);
    hangs.finished([ONE, OTHER]);
    expect(hangs.note([ONE])).toEqual([]);
    expect(hangs.note([ONE])).toEqual([ONE]);
    hangs.finished([ONE]);
    expect(new Hangs(file).skipped()).toEqual([ONE]);
  });

  it('is tried again after a week', () => {
    const hangs = new Hangs(file, () => 0);
    hangs.note([ONE]);
    hangs.note([ONE]);
    expect(new Hangs(file, () => 6 * DAY_MS).skipped()).toEqual([ONE]);
    expect(new Hangs(file, () => 7 * DAY_MS).skipped()).toEqual([]);
  });

  it('is not recorded with a URL if it is not a page', () => {
    const hangs = new Hangs(file);
    for (let n = 0; n < 2; n += 1) hangs.note(['hourly']);
    expect([hangs.isSkipped('hourly'), hangs.skipped()]).toEqual([true, []]);
  });

  it('is forgotten with a file that cannot be read', () => {
    writeFileSync(join(folder, 'hangs.json'), '{"a":');
    expect(new Hangs(join(folder, 'hangs.json')).skipped()).toEqual([]);
  });
});
