import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A Cloudflare account, as far as Wrangler shows it. */
export type FakeAccount = {
  loggedIn: boolean;
  databases: { name: string; uuid: string }[];
  stores: { id: string; title: string }[];
  /** `null` while there is no Worker. */
  secrets: Record<string, string> | null;
  /** Where a deployed Worker answers. */
  address: string;
  /** Every command it was given. */
  calls: string[][];
  /** What the last deployment was made of. */
  config: string | null;
  /** The first word of a command that fails. */
  failing: string | null;
};

/** A program named `wrangler` in a folder, to stand first on the PATH; it keeps its account in a file beside it. */
export function fakeWrangler(folder: string, account: Partial<FakeAccount>) {
  const bin = join(folder, 'bin');
  const file = join(folder, 'account.json');
  mkdirSync(bin);
  const start: FakeAccount = {
    loggedIn: true,
    databases: [{ name: 'somebody-elses', uuid: '00000000-0000-4000-8000-000000000001' }],
    stores: [],
    secrets: null,
    address: 'https://periscope.acme.workers.dev',
    calls: [],
    config: null,
    failing: null,
    ...account,
  };
  writeFileSync(file, JSON.stringify(start));
  const program = join(bin, 'wrangler');
  writeFileSync(
    program,
    `#!${process.execPath}\n(${run.toString()})(${JSON.stringify(file)}, process.getBuiltinModule('node:fs'));\n`,
  );
  chmodSync(program, 0o755);
  return {
    path: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
    account: (): FakeAccount => JSON.parse(readFileSync(file, 'utf8')) as FakeAccount,
    change: (changes: Partial<FakeAccount>) =>
      writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as FakeAccount), ...changes })),
  };
}

/** Runs as a program of its own: it knows nothing of this file. */
function run(file: string, fs: typeof import('node:fs')): void {
  const args = process.argv.slice(2);
  const account = JSON.parse(fs.readFileSync(file, 'utf8')) as FakeAccount;
  account.calls.push(args);
  const after = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const answer = (value: unknown) => console.log(JSON.stringify(value, null, 2));
  const command = args.slice(0, 2).join(' ');
  if (account.failing === args[0]) {
    console.error('the platform is on holiday');
    process.exitCode = 1;
  } else if (command === 'whoami --json') {
    answer(account.loggedIn ? { loggedIn: true, email: 'owner@acme.dev' } : { loggedIn: false });
    process.exitCode = account.loggedIn ? 0 : 1;
  } else if (command === 'd1 list') answer(account.databases);
  else if (command === 'd1 create') {
    account.databases.push({ name: args[2] ?? '', uuid: '11111111-2222-4333-8444-555555555555' });
    console.log('Created your new D1 database.');
  } else if (command === 'kv namespace' && args[2] === 'list') answer(account.stores);
  else if (command === 'kv namespace') {
    account.stores.push({ title: args[3] ?? '', id: 'abcdefabcdefabcdefabcdefabcdefab' });
    console.log('Success!');
  } else if (command === 'secret list') {
    if (account.secrets === null) {
      console.error('Worker "periscope" not found.');
      process.exitCode = 1;
    } else answer(Object.keys(account.secrets).map((name) => ({ name, type: 'secret_text' })));
  } else if (command === 'd1 migrations') console.log('Applied.');
  else if (args[0] === 'deploy') {
    const secrets = after('--secrets-file');
    const given = secrets === undefined ? {} : (JSON.parse(fs.readFileSync(secrets, 'utf8')) as Record<string, string>);
    account.secrets = { ...account.secrets, ...given };
    account.config = fs.readFileSync(after('--config') ?? '', 'utf8');
    const report = process.env['WRANGLER_OUTPUT_FILE_PATH'];
    const entries = [{ type: 'wrangler-session' }, { type: 'deploy', targets: [account.address] }];
    if (report !== undefined) fs.writeFileSync(report, entries.map((entry) => JSON.stringify(entry)).join('\n'));
    console.log(`Deployed periscope triggers\n  ${account.address}`);
  } else {
    console.error(`unknown command: ${args.join(' ')}`);
    process.exitCode = 1;
  }
  fs.writeFileSync(file, JSON.stringify(account));
}
