import { PASSPHRASE_ITERATIONS } from '#core/limits.ts';

declare global {
  /** True once this runtime hashes passphrases quickly. */
  var hashesQuickly: true | undefined;
}

/**
 * Hashing a passphrase takes 100,000 rounds, or 30 ms: most of the time of tests with a sign-in. Here one round is
 * enough. Code that asks for fewer rounds than the product must is refused.
 */
if (globalThis.hashesQuickly === undefined) {
  const { subtle } = crypto;
  const derive = subtle.deriveBits.bind(subtle);
  subtle.deriveBits = (algorithm, key, length) => {
    if (typeof algorithm === 'string' || algorithm.name !== 'PBKDF2') return derive(algorithm, key, length);
    if (algorithm.iterations !== PASSPHRASE_ITERATIONS)
      throw new TypeError(`${algorithm.iterations} rounds of hashing`);
    return derive({ ...algorithm, iterations: 1 }, key, length);
  };
  globalThis.hashesQuickly = true;
}
