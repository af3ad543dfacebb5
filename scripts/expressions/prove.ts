import { createRequire } from 'node:module';
import { reduced, Unsupported } from './reduce.ts';

type Diagnostics =
  | { status: 'safe' }
  | { status: 'vulnerable'; complexity: { summary: string }; attack: { pattern: string } }
  | { status: 'unknown'; error: { kind: string; message?: string } };

/** In JavaScript and in this thread, so that it runs everywhere. */
process.env['RECHECK_BACKEND'] = 'pure';
process.env['RECHECK_SYNC_BACKEND'] = 'pure';
const { checkSync }: { checkSync: (source: string, flags: string, options: object) => Diagnostics } = createRequire(
  import.meta.url,
)('recheck');

/** Most are decided in milliseconds. The limit ends an analysis that would never end; it is far above what a busy machine needs. */
const TIMEOUT_MS = 10 * 60_000;

const proven = new Map<string, string | null>();

/** Why it is not proven that an expression takes time in proportion to the text, whatever the text is; `null` if it is. */
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
 * A repetition that may take more than so many counts as one without end, first: that is checked faster, and what takes linear time
 * even so does with the count, too. One that is bounded by more than the last of them is bounded by too much.
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
