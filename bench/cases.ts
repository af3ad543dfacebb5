import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { installedBrowsers } from '#scripts/local/chromium-find.ts';
import { launchServer } from '#scripts/local/launch.ts';
import { send, startOrigin } from '#support/origin.ts';
import type { Handler } from '#support/origin.ts';
import { ours } from './browser/subjects.ts';
import type { Answer, Subject } from './browser/subjects.ts';
import { CHECKS } from './cases/checks.ts';
import { readCases } from './cases/read.ts';
import type { Case } from './cases/read.ts';

/**
 * `npm run bench:cases [-- FOLDER --only PATTERN --project FOLDER --show]`: plays recorded cases of the browser tools
 * and checks their end. Each case is a folder of pages with a `.steps` file. PATTERN is a regular expression for names
 * of cases. `--project` plays them with another version; `--show` prints every call and answer.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' }, project: { type: 'string' }, show: { type: 'boolean' } },
});
const folder = positionals[0] ?? join(import.meta.dirname, '../../shared/bench/cases/browser');
const path = process.env['CHROMIUM_PATH'] ?? installedBrowsers(process.env)[0];
const home = mkdtempSync(join(tmpdir(), 'periscope-bench-'));

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.pdf': 'application/pdf',
};

const pages: Handler = (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const file = resolve(join(folder, decodeURIComponent(pathname)));
  const isThere = file.startsWith(resolve(folder)) && statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  if (!isThere) return void response.writeHead(404).end();
  response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain' }).end(readFileSync(file));
};
const site = await startOrigin({ '/dlget': send('PK', { 'content-type': 'application/zip' }) }, pages);
const server = await launchServer({
  home,
  settings: {
    ALLOWED_PRIVATE_HOSTS: site.host,
    EVALUATE_ENABLED: 'true',
    BUDGET_CALLS_PER_MINUTE: '100000',
    ...(path === undefined ? {} : { CHROMIUM_PATH: path }),
  },
  ...(values.project === undefined ? {} : { project: resolve(values.project) }),
});
const subject = await ours(server);

try {
  const cases = readCases(folder, site.url).filter(({ name }) => new RegExp(values.only).test(name));
  const failed: string[] = [];
  for (const one of cases) if (!(await passes(one))) failed.push(one.name);
  console.log(`\n${cases.length - failed.length} of ${cases.length} cases pass.`);
  process.exitCode = failed.length === 0 ? 0 : 1;
} finally {
  await subject.close();
  await server.stop();
  await site.close();
  rmSync(home, { recursive: true, force: true });
}

async function passes({ name, calls, mustBe }: Case): Promise<boolean> {
  const check = CHECKS[name];
  const answers: Answer[] = [];
  for (const call of calls) {
    const answer = await subject.call(call);
    answers.push(answer);
    if (values.show === true) console.log(`> ${call.tool} ${JSON.stringify(call.args)}\n${answer.text}\n`);
  }
  const view = await viewNow();
  const end = { answers, view, ask: (expression: string) => valueOf(subject, expression) };
  const isSo = check === undefined ? null : await check(end);
  await subject.call({ tool: 'browser_close', args: {} });
  console.log(`${isSo === null ? 'no check' : isSo ? 'passes' : 'FAILS'}  ${name}: ${mustBe}`);
  return isSo !== false;
}

async function viewNow(): Promise<string> {
  return (await subject.call(subject.snapshot())).text;
}

async function valueOf({ call }: Subject, expression: string): Promise<unknown> {
  const script = `'VALUE<' + btoa(encodeURIComponent(JSON.stringify(${expression}) ?? 'null')) + '>'`;
  const { text } = await call({ tool: 'browser_evaluate', args: { script } });
  const told = /VALUE<([\w+/=]+)>/.exec(text)?.[1];
  return told === undefined ? text : JSON.parse(decodeURIComponent(atob(told)));
}
