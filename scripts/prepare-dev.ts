import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { holdData } from './local/data-lock.ts';
import { PORT_DEFAULT } from './local/port.ts';
import { closeToOthers, writePrivately } from './local/private.ts';
import { PROJECT } from './local/project.ts';
import { readSettings } from './local/settings.ts';
import { StopError, stopMessage } from './local/stop-error.ts';
import { readWorkerConfig } from './local/worker-config.ts';
import { runWrangler } from './local/wrangler-program.ts';

/**
 * Prepares what `wrangler dev` needs and does not make itself: secrets to sign in with, and tables. `wrangler.toml`
 * names this file as its build command, so Wrangler runs it before it reads `.dev.vars`, and again with every reload,
 * when nothing is left to do. In a deploy it does nothing.
 */

const DATA = join(PROJECT, '.wrangler/state');
/** The migrations that this file has applied to the database. Deleted with the database. */
const MARK = join(DATA, 'migrated-for-dev');

if (process.env['WRANGLER_COMMAND'] === 'dev') {
  try {
    await prepare();
  } catch (error) {
    console.error(stopMessage(error));
    process.exitCode = 1;
  }
}

async function prepare(): Promise<void> {
  writePrivately();
  const { vars } = readWorkerConfig(join(PROJECT, 'wrangler.toml'));
  const { wroteVars, varsFile } = readSettings(PROJECT, PORT_DEFAULT, process.env, vars);
  if (wroteVars)
    console.log(`The passphrase to sign in with, and an access token, are in ${varsFile} (written just now).`);
  closeToOthers(join(PROJECT, '.dev.vars'));
  const migrations = readdirSync(join(PROJECT, 'migrations')).sort().join('\n');
  if (existsSync(MARK) && readFileSync(MARK, 'utf8') === migrations) return;
  holdData(DATA);
  closeToOthers(join(PROJECT, '.wrangler'));
  const { code, said } = await runWrangler(PROJECT, ['d1', 'migrations', 'apply', 'DB', '--local']);
  if (code !== 0) throw new StopError(`The database could not be prepared.\n${said}`);
  writeFileSync(MARK, migrations);
}
