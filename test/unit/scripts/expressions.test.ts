import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runProgram } from '#support/run-program.ts';

const SCRIPT = 'scripts/check-expressions.ts';
const folders: string[] = [];

/** Each file has one expression. */
async function check(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-expressions-'));
  folders.push(folder);
  for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), `${code}\n`);
  const { code, stdout, stderr } = await runProgram(SCRIPT, [folder]);
  return { code, stdout, refused: Object.keys(files).filter((name) => stderr.includes(`${name}:1: `)) };
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

describe('the check of regular expressions', () => {
  it('passes those that take linear time', { timeout: 120_000 }, async () => {
    const files = {
      'classes.ts': String.raw`export const A = /^[\p{L}\p{N}]+-[^\s"]*$/u;`,
      'looks.ts': String.raw`export const A = /(?<!\s)\s+(?=x)/gu;`,
      'counts.ts': String.raw`export const A = /\[[^[\]]{0,500}\]/g;`,
      'made.ts': String.raw`const S = '\\s'; export const A = new RegExp(${'`'}^a${'${S}'}*b${'`'}, 'u');`,
    };
    expect(await check(files)).toMatchObject({ code: 0, refused: [] });
  });

  it(
    'fails for exponential and quadratic ones, for one built from parts, and for one created at run time',
    { timeout: 120_000 },
    async () => {
      const files = {
        'exponential.ts': String.raw`export const A = /^(?:a|\w)*!/;`,
        'counted.ts': String.raw`export const A = /^(?:-?(?:x|\d{1,3}))*y$/;`,
        'square.ts': String.raw`export const A = /\s+$/u;`,
        'scanned.ts': String.raw`export const A = /<[^>]*>/g;`,
        'parts.ts': String.raw`const S = '\\s*'; export const A = new RegExp(${'`'}^${'${S}'}a?${'${S}'}$${'`'});`,
        'later.ts': String.raw`export const made = (text: string) => new RegExp(text);`,
        'linear.ts': 'export const A = /^a*b/;',
      };
      const { code, refused } = await check(files);
      expect([code, refused]).toEqual([1, Object.keys(files).filter((name) => name !== 'linear.ts')]);
    },
  );
});
