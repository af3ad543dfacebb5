import { randomBytes, randomInt } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseEnv } from 'node:util';
import { CONFIG_NAMES, configAdvice, ConfigError, parseConfig } from '#core/config/config.ts';
import type { Config } from '#core/config/config.ts';
import { describeWebSearch } from '#core/search-engines.ts';
import { wasAsked } from './ask-web-search.ts';
import { StopError } from './stop-error.ts';

/** Everything that `npm start` decides before the Worker runs. */
export type Settings = {
  port: number;
  /** Path of `.dev.vars`, as a user would type it. */
  varsFile: string;
  /** True if this start wrote or completed `.dev.vars`. */
  wroteVars: boolean;
  /** Unknown names in `.dev.vars`, usually misspelt. */
  unknownNames: string[];
  /** The reach of a search; `null` if it covers only pages opened here. */
  webSearch: string | null;
  /** True if no web search is set up and the user has not yet declined one. */
  asksWebSearch: boolean;
  /** Warnings about settings that are allowed but surely not intended. */
  advice: string[];
  /** Settings of the Worker over `wrangler.toml`. An empty string means "not set". */
  values: Record<string, string>;
};

// Without 0/o and 1/l/i, because people copy it from one screen to another.
const PASSPHRASE_ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz';
const PASSPHRASE_GROUPS = 5;
const PASSPHRASE_GROUP_CHARS = 4;
const TOKEN_BYTES = 32;

/** The secrets that a first start makes, each with its purpose. */
const SECRETS: readonly { name: string; why: string; make: () => string }[] = [
  { name: 'OWNER_PASSPHRASE', why: 'For the sign-in page.', make: makePassphrase },
  { name: 'LOCAL_ACCESS_TOKEN', why: 'For clients on this machine.', make: makeToken },
  {
    name: 'SIGN_IN_KEY',
    why: 'For the sign-in link, which keeps working while wrong guesses block the sign-in page.',
    make: makeSecret,
  },
  {
    name: 'SESSION_SECRET',
    why: 'Signs sign-in sessions, and encrypts browser sessions while they are parked.',
    make: makeSecret,
  },
];

/**
 * Reads `.dev.vars` in `home`, adds what a first start must add, and applies the environment over it.
 * @param fromToml the `[vars]` of `wrangler.toml`, to which the values will be added
 * @throws {StopError} if a value is not allowed, or the file cannot be read or written
 */
export function readSettings(
  home: string,
  port: number,
  environment: NodeJS.ProcessEnv,
  fromToml: Readonly<Record<string, unknown>>,
): Settings {
  const file = join(home, '.dev.vars');
  const { vars, wrote } = readOrWriteVars(file);
  const given = Object.fromEntries(
    CONFIG_NAMES.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const here = {
    PUBLIC_URL: `http://localhost:${port}`,
    TRUST_CONNECTING_IP: 'false',
    // A local browser costs nothing.
    SESSION_IDLE_MINUTES: '30',
    LOCAL_SIGN_IN_KEY: makeSecret(),
  };
  const values = { ...here, ...withoutEmptyUrl(vars), ...withoutEmptyUrl(given) };
  let config: Config;
  try {
    config = parseConfig({ ...fromToml, ...values });
  } catch (error) {
    if (error instanceof ConfigError) throw new StopError(error.message);
    throw error;
  }
  return {
    port,
    varsFile: relative(process.cwd(), file).startsWith('..') ? file : relative(process.cwd(), file),
    wroteVars: wrote,
    webSearch: describeWebSearch(config),
    asksWebSearch:
      describeWebSearch(config) === null &&
      config.SEARCH_PROVIDERS.length === 0 &&
      !wasAsked(readFileSync(file, 'utf8')),
    advice: configAdvice(config),
    unknownNames: Object.keys(vars).filter((name) => !CONFIG_NAMES.includes(name)),
    values,
  };
}

/** Removes an empty PUBLIC_URL, which means "not set": then the local address is the right one. */
function withoutEmptyUrl(values: Record<string, string>): Record<string, string> {
  const { PUBLIC_URL: url, ...rest } = values;
  return url === undefined || url.trim() === '' ? rest : values;
}

function readOrWriteVars(file: string): { vars: Record<string, string>; wrote: boolean } {
  const before = existsSync(file) ? attempt(`${file} cannot be read`, () => readFileSync(file, 'utf8')) : null;
  const vars = parseVars(before ?? '');
  const missing = SECRETS.filter(({ name }) => !(name in vars));
  if (missing.length === 0) return { vars, wrote: false };

  const head = before ?? '# Settings of this machine. They override wrangler.toml. Do not commit this file.\n';
  const made = missing.map(({ name, why, make }) => ({ name, why, value: make() }));
  const added = made.map(({ name, why, value }) => `# ${why}\n${name}=${value}\n`).join('');
  attempt(`${file} cannot be written`, () => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${head}${head.endsWith('\n') ? '' : '\n'}${added}`, { mode: 0o600 });
    chmodSync(file, 0o600); // An existing file would keep its old mode.
  });
  return { vars: { ...vars, ...Object.fromEntries(made.map(({ name, value }) => [name, value])) }, wrote: true };
}

function parseVars(text: string): Record<string, string> {
  return Object.fromEntries(Object.entries(parseEnv(text)).map(([name, value]) => [name, value ?? '']));
}

function attempt<T>(problem: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw new StopError(`${problem} (${code}).`);
  }
}

export function makePassphrase(): string {
  const letter = () => PASSPHRASE_ALPHABET.charAt(randomInt(PASSPHRASE_ALPHABET.length));
  const group = () => Array.from({ length: PASSPHRASE_GROUP_CHARS }, letter).join('');
  return Array.from({ length: PASSPHRASE_GROUPS }, group).join('-');
}

function makeToken(): string {
  return `local_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
}

export function makeSecret(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}
