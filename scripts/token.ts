import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs, parseEnv } from 'node:util';
import { isLoopbackHost } from '#core/config/config.ts';
import { ACCESS_TOKEN_DAYS_DEFAULT } from '#auth/limits.ts';
import { commandLine, HOME, IS_PACKAGE, START } from './local/project.ts';
import { serverUrl } from './local/server-url.ts';
import { StopError } from './local/stop-error.ts';
import { openConsole } from './token/console.ts';
import type { Console } from './token/console.ts';

/**
 * `npm run token`: makes, lists and revokes access tokens of a running Periscope, local or deployed. It signs in as the
 * owner through the same pages as a browser, so the same rules apply.
 */

const COMMAND = commandLine('token');

const USAGE = `${COMMAND} create --name NAME [--scopes web:read,browser:use] [--days ${ACCESS_TOKEN_DAYS_DEFAULT}]
${COMMAND} list
${COMMAND} revoke ID

Options for all of them:
  --url URL      the Periscope to use; by default the one that ${START} runs
  --home FOLDER  the folder with the .dev.vars of ${START}; by default ${IS_PACKAGE ? HOME : 'this project'}
  --json         print JSON

The command signs in with OWNER_PASSPHRASE from the environment. For a Periscope on this machine it
also looks in .dev.vars; for any other it asks, if it runs in a terminal.`;

try {
  await main();
} catch (error) {
  console.error(error instanceof StopError ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values: options, positionals } = readArguments();
  const [command, id, ...more] = positionals;
  if (options.help === true || command === undefined) return console.log(USAGE);
  if (more.length > 0) throw new StopError(USAGE);
  const url = serverUrl(options.url, resolve(options.home));
  const connect = async () => openConsole(url, await readPassphrase(url, resolve(options.home)));
  const show = (text: string, json: unknown) =>
    console.log(options.json === true ? JSON.stringify(json, null, 2) : text);

  if (command === 'create' && id === undefined) {
    const { name, days } = options;
    if (name === undefined) throw new StopError('A token needs a name: --name "build agent".');
    const made = await (
      await connect()
    ).create({ name, days, scopes: options.scopes.split(',').map((scope) => scope.trim()) });
    return show(
      `${made.token}\n\nCopy it now: it cannot be shown again. ${made.id} may ${made.scopes.join(', ')} until ${day(made.expires_at)}.`,
      made,
    );
  }
  if (command === 'list' && id === undefined) return list(await connect(), show);
  if (command === 'revoke' && id !== undefined) {
    await (await connect()).revoke(id);
    return show(`${id} is revoked.`, { revoked: id });
  }
  throw new StopError(USAGE);
}

async function list(server: Console, show: (text: string, json: unknown) => void): Promise<void> {
  const tokens = await server.list();
  const lines = tokens.map(({ id, name, scopes, expires_at: ends, last_used_at: used }) =>
    [
      id,
      `until ${day(ends)}`,
      used === null ? 'never used' : `used ${used.slice(0, 16)}Z`,
      scopes.join(','),
      name,
    ].join('  '),
  );
  show(lines.length === 0 ? 'There are no tokens.' : lines.join('\n'), tokens);
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        scopes: { type: 'string', default: 'web:read' },
        days: { type: 'string', default: String(ACCESS_TOKEN_DAYS_DEFAULT) },
        url: { type: 'string' },
        home: { type: 'string', default: HOME },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch {
    throw new StopError(USAGE);
  }
}

/** Reads the passphrase. The one in `.dev.vars` belongs to `npm start` and is sent nowhere else. */
async function readPassphrase(url: URL, home: string): Promise<string> {
  const given = process.env['OWNER_PASSPHRASE'];
  if (given !== undefined && given.trim() !== '') return given.trim();
  const file = join(home, '.dev.vars');
  if (isLoopbackHost(url.hostname) && existsSync(file)) {
    const kept = parseEnv(readFileSync(file, 'utf8'))['OWNER_PASSPHRASE'];
    if (kept !== undefined && kept !== '') return kept;
  }
  if (!process.stdin.isTTY) throw new StopError('OWNER_PASSPHRASE must be set in the environment.');
  process.stderr.write(`Passphrase of ${url.host}: `);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: silent, terminal: true });
  const typed = await prompt.question('');
  prompt.close();
  process.stderr.write('\n');
  return typed;
}

function day(iso: string): string {
  return iso.slice(0, 'YYYY-MM-DD'.length);
}
