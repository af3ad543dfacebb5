import { resolve } from 'node:path';

/** Arguments of benches over a folder of documentation: `CORPUS [--only=NAME,NAME] [--show]`. */
export function corpusArguments(): { corpus: string; only: readonly string[] | null; show: boolean } {
  const words = process.argv.slice(2);
  const only = words.find((word) => word.startsWith('--only='));
  return {
    corpus: resolve(words.find((word) => !word.startsWith('--')) ?? '.'),
    only: only?.slice('--only='.length).split(',') ?? null,
    show: words.includes('--show'),
  };
}
