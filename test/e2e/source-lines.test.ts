import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtBundle, MAIN } from '#scripts/local/bundle.ts';
import { PROJECT } from '#scripts/local/project.ts';
import { sourceLines } from '#scripts/local/source-lines.ts';

const SOURCE = `
export class Session {
  #open(url: string): string {
    throw new TypeError(url);
  }
  read = (url: string) => this.#open(url);
}
`;

let folder: string;
let frames: string[];
let inSources: (line: string) => string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'periscope-frames-'));
  const outfile = join(folder, MAIN);
  const stdin = { contents: SOURCE, loader: 'ts', sourcefile: 'src/session.ts', resolveDir: folder } as const;
  await build({ stdin, outfile, minify: true, keepNames: true, sourcemap: true, format: 'esm' });
  const { Session } = await import(outfile);
  frames = stackOf(() => new Session().read('about:blank')).map((frame) => frame.replace(`file://${folder}/`, ''));
  inSources = sourceLines(`${outfile}.map`);
});
afterAll(() => rmSync(folder, { recursive: true }));

function stackOf(work: () => unknown): string[] {
  try {
    work();
    return [];
  } catch (error) {
    return (error instanceof Error ? (error.stack ?? '') : '').split('\n').slice(1, 3);
  }
}

describe('stack frames of the minified Worker', () => {
  it('are shown with their place in the source code', () => {
    expect(frames.map((frame) => /\((.*)\)/.exec(inSources(frame))?.[1])).toEqual([
      expect.stringMatching(/src\/session\.ts:4:11$/),
      expect.stringMatching(/src\/session\.ts:6:32$/),
    ]);
  });

  it('appear in the line of an unexpected error, and nowhere else', () => {
    const line = { level: 'error', event: 'unexpected_error', name: 'TypeError', stack: frames };
    expect(JSON.parse(inSources(JSON.stringify(line)))).toEqual({ ...line, stack: frames.map(inSources) });
    for (const other of [
      { ...line, event: 'tool_call' },
      { ...line, stack: 'about index.js:1:2' },
    ]) {
      expect(inSources(JSON.stringify(other))).toBe(JSON.stringify(other));
    }
  });

  it('stay unchanged without a source map, and where it has no entry', () => {
    for (const frame of frames) expect(sourceLines(join(folder, 'none.map'))(frame)).toBe(frame);
    expect(inSources('    at read (other.js:1:2)')).toBe('    at read (other.js:1:2)');
  });

  it('have a source map next to the built Worker', async () => {
    const built = await builtBundle(PROJECT, join(PROJECT, '.wrangler/bundle'), () => undefined);
    const told = sourceLines(join(built, `${MAIN}.map`))(`    at read (${MAIN}:9:900)`);
    expect(told).toMatch(/^ {4}at read \((?:src|node_modules)\/.+\.\w+:\d+:\d+\)$/);
  });
});
