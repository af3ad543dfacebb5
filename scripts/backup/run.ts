import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { commandLine, HOME, START } from '#scripts/local/project.ts';
import { serverUrl } from '#scripts/local/server-url.ts';
import { StopError } from '#scripts/local/stop-error.ts';
import { backupWriter, partsIn } from './backup-file.ts';
import { backupServer, deploymentSecret } from './server.ts';
import type { BackupServer } from './server.ts';

/** `npm run backup` and `npm run restore` take the same options. */
const COMMANDS = {
  backup: { does: makeBackup, says: 'writes all that it stores into FILE, encrypted' },
  restore: { does: restoreBackup, says: 'adds what FILE holds and the other lacks' },
} as const;

export async function runBackupCommand(name: keyof typeof COMMANDS, args: string[]): Promise<void> {
  try {
    await run(name, args);
  } catch (error) {
    console.error(error instanceof StopError ? error.message : error);
    process.exitCode = 1;
  }
}

async function run(name: keyof typeof COMMANDS, args: string[]): Promise<void> {
  const { does, says } = COMMANDS[name];
  const usage = `${commandLine(name)} FILE   ${says}

  --url URL      the Periscope to use; by default the one that ${START} runs
  --home FOLDER  the folder with the .dev.vars of ${START}

The secret of a deployment is taken from SESSION_SECRET in the environment.`;
  const { values, positionals } = readArguments(args, usage);
  const [file, ...more] = positionals;
  if (values.help === true) return console.log(usage);
  if (file === undefined || more.length > 0) throw new StopError(usage);
  const url = serverUrl(values.url, resolve(values.home));
  await does(resolve(file), backupServer(url, deploymentSecret(url, resolve(values.home))), url);
}

function readArguments(args: string[], usage: string) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        home: { type: 'string', default: HOME },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch {
    throw new StopError(usage);
  }
}

async function makeBackup(file: string, server: BackupServer, { origin }: URL): Promise<void> {
  if (existsSync(file)) throw new StopError(`${file} exists already. Name another file.`);
  const writer = backupWriter(file);
  let count = 0;
  try {
    let at: string | null = null;
    do {
      const { sealed, next }: Awaited<ReturnType<BackupServer['part']>> = await server.part(at);
      writer.add(sealed);
      count += 1;
      at = next;
    } while (at !== null);
  } catch (error) {
    writer.cancel();
    throw error;
  }
  writer.finish();
  console.log(
    `${file}: ${count} parts of ${origin}, ${statSync(file).size.toLocaleString('en')} bytes. It opens with the SESSION_SECRET of that deployment alone: keep both, and apart.`,
  );
}

async function restoreBackup(file: string, server: BackupServer, { origin }: URL): Promise<void> {
  if (!existsSync(file)) throw new StopError(`${file} does not exist.`);
  // Reads the file to its end first, so that nothing of a damaged file is restored.
  const total = [...partsIn(file)].length;
  let [done, left] = [0, 0];
  for (const part of partsIn(file)) {
    left += await server.add(part).catch((error: unknown) => {
      if (!(error instanceof StopError)) throw error;
      throw new StopError(`${error.message} ${done} of ${total} parts are restored; all can be restored again.`);
    });
    done += 1;
  }
  if (left > 0)
    console.log(`${left} rows were left out: this version has no place for them, or what they belong to is missing.`);
  console.log(
    `${origin} has what was in ${file}. Restart it to finish: ${START} again, or npm run deploy. The search index is rebuilt, up to 128 MB of text an hour.`,
  );
}
