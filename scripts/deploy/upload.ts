import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { StopError } from '#scripts/local/stop-error.ts';
import type { WorkerConfig } from '#scripts/local/worker-config.ts';
import { FREE_PLAN } from './wrangler.ts';
import type { Wrangler } from './wrangler.ts';

/**
 * Checks that the account's plan allows the Worker, before a database or a store is created. No part of the API that
 * every token may use names the plan, but the Free plan refuses an upload with a CPU limit. So an empty Worker with
 * this limit is uploaded. It has no address, and the real one replaces it.
 * @throws {StopError} on the Free plan, with nothing created
 */
export async function requirePaidPlan(wrangler: Wrangler, { name, limits, ...config }: WorkerConfig): Promise<void> {
  if (limits.cpu_ms === undefined) return;
  const toml = [
    `name = ${JSON.stringify(name)}`,
    'main = "empty.js"',
    `compatibility_date = ${JSON.stringify(config.compatibility_date)}`,
    'workers_dev = false',
    'preview_urls = false',
    `limits = { cpu_ms = ${limits.cpu_ms} }`,
  ];
  const output = await inFolder((folder) => {
    writeFileSync(join(folder, 'empty.js'), 'export default { fetch: () => new Response(null, { status: 503 }) };\n');
    writeFileSync(join(folder, 'wrangler.toml'), toml.join('\n'));
    return wrangler.readOr(['deploy', '--config', join(folder, 'wrangler.toml')], FREE_PLAN.sign);
  });
  if (output === null) throw new StopError(`${FREE_PLAN.words} Nothing was created.`);
}

/** @returns the address that Wrangler names, or `null` */
export async function upload(
  wrangler: Wrangler,
  config: string,
  vars: Record<string, string>,
  secrets: Record<string, string>,
): Promise<string | null> {
  return inFolder(async (folder) => {
    const file = join(folder, 'secrets.json');
    writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
    chmodSync(file, 0o600);
    const report = join(folder, 'report.ndjson');
    const output = await wrangler.run([...deployArgs(config, vars), '--secrets-file', file], {
      WRANGLER_OUTPUT_FILE_PATH: report,
    });
    return addressIn(existsSync(report) ? readFileSync(report, 'utf8') : '', output);
  });
}

/** Wrangler's arguments, except for the file with secrets. */
export function deployArgs(config: string, vars: Record<string, string>): string[] {
  return [
    'deploy',
    '--config',
    config,
    // Variables that an earlier run or the dashboard has set stay.
    '--keep-vars',
    ...Object.entries(vars).flatMap(([name, value]) => ['--var', `${name}:${value}`]),
  ];
}

/** Runs the work with a folder that is always deleted afterwards. */
async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'periscope-deploy-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const reportLineSchema = z.object({ type: z.string().optional(), targets: z.array(z.string()).optional() });

function addressIn(report: string, output: string): string | null {
  for (const line of report.split('\n').filter((text) => text.trim() !== '')) {
    const { type, targets } = reportLineSchema.parse(JSON.parse(line));
    const target = type === 'deploy' ? targets?.[0]?.split(' ')[0] : undefined;
    if (target !== undefined) return new URL(target.includes('://') ? target : `https://${target}`).origin;
  }
  const printed = /^\s+(https?:\/\/\S+)\s*$/mu.exec(output)?.[1];
  return printed === undefined ? null : new URL(printed).origin;
}
