import { createRequire } from 'node:module';
import { reduced, Unsupported } from './reduce.ts';

type Diagnostics =
  | { status: 'safe' }
  | { status: 'vulnerable'; complexity: { summary: string }; attack: { pattern: string } }
  | { status: 'unknown'; error: { kind: string; message?: string } };

/** Uses JavaScript in this thread, which works everywhere. */
process.env['RECHECK_BACKEND'] = 'pure';
process.env['RECHECK_SYNC_BACKEND'] = 'pure';
const { checkSync }: { checkSync: (source: string, flags: string, options: object) => Diagnostics } = createRequire(
  import.meta.url,
)('recheck');

/** Most expressions take milliseconds. The limit, far above that, ends an endless analysis. */
const TIMEOUT_MS = 10 * 60_000;

const proven = new Map<string, string | null>();

/**
 * The reason why an expression is not proven to take time in proportion to the text, whatever the text is; `null` if it
 * is proven.
 */
export function doubtOf(source: string, flags: string): string | null {
  let doubt: string | null = null;
  for (const countMax of COUNTS_MAX) {
    try {
      const { whole, variants } = reduced(source, flags, countMax);
      doubt = doubtOfAll(variants);
      if (doubt !== null && variants.length > 1) doubt = doubtOfAll([whole()]);
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error;
      doubt = `has ${error.message}`;
    }
    if (doubt === null) return null;
  }
  return doubt;
}

/**
 * First, a repetition with a greater maximum counts as endless: that is checked faster, and an expression that is
 * linear even then is also linear with its maximum. A maximum above the last of these values is too large.
 */
const COUNTS_MAX: readonly number[] = [10, 100];

function doubtOfAll(expressions: readonly { source: string; flags: string }[]): string | null {
  for (const { source, flags } of expressions) {
    const key = `${flags}/${source}`;
    const doubt = proven.has(key) ? (proven.get(key) ?? null) : check(source, flags);
    proven.set(key, doubt);
    if (doubt !== null) return doubt;
  }
  return null;
}

function check(source: string, flags: string): string | null {
  const said = checkSync(source, flags, { checker: 'automaton', timeout: TIMEOUT_MS, maxNFASize: 1_000_000 });
  switch (said.status) {
    case 'safe':
      return null;
    case 'vulnerable':
      return said.complexity.summary;
    case 'unknown':
      return said.error.kind === 'timeout'
        ? `not decided in ${TIMEOUT_MS} ms`
        : `${said.error.kind} ${said.error.message ?? ''}`;
  }
}
