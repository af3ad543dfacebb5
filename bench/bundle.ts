import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

export type Bundle = {
  bytes: number;
  gzipBytes: number;
  /** The sources of the bytes, largest first: packages, or `src` for our own. */
  parts: { name: string; bytes: number }[];
};

type BuildFacts = { outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }> };

const PROJECT = join(import.meta.dirname, '..');
const FACTS = 'bundle-meta.json';

/** Builds the Worker as `wrangler deploy` would upload it, and measures its size. */
export function weighBundle(): Bundle {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-bundle-'));
  try {
    const run = spawnSync(
      process.execPath,
      [join(PROJECT, 'node_modules/wrangler/bin/wrangler.js'), 'deploy', '--dry-run', '--metafile', '--outdir', folder],
      {
        cwd: PROJECT,
        encoding: 'utf8',
        env: {
          ...process.env,
          CLOUDFLARE_CF_FETCH_ENABLED: 'false',
          WRANGLER_SEND_METRICS: 'false',
          WRANGLER_WRITE_LOGS: 'false',
        },
      },
    );
    if (run.status !== 0) throw new Error(`wrangler deploy --dry-run failed:\n${run.stdout}${run.stderr}`);
    const modules = readdirSync(folder)
      .filter((name) => !/\.map$|^README\.md$/.test(name) && name !== FACTS)
      .map((name) => readFileSync(join(folder, name)));
    const facts: BuildFacts = JSON.parse(readFileSync(join(folder, FACTS), 'utf8'));
    return {
      bytes: modules.reduce((sum, content) => sum + content.length, 0),
      gzipBytes: modules.reduce((sum, content) => sum + gzipSync(content).length, 0),
      parts: partsOf(facts),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function partsOf({ outputs }: BuildFacts): Bundle['parts'] {
  const sizes = new Map<string, number>();
  for (const { inputs } of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? 'src';
      sizes.set(name, (sizes.get(name) ?? 0) + bytesInOutput);
    }
  }
  return [...sizes].map(([name, bytes]) => ({ name, bytes })).sort((a, b) => b.bytes - a.bytes);
}

/** `node bench/bundle.ts`: prints the size of the deployed Worker and its parts. */
if (import.meta.main) {
  const { bytes, gzipBytes, parts } = weighBundle();
  console.log(`${bytes} bytes, ${gzipBytes} gzipped`);
  console.table(parts);
}
