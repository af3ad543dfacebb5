import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '#scripts/local/port.ts';
import { startBearerProxy } from '#support/bearer-proxy.ts';
import type { BearerProxy } from '#support/bearer-proxy.ts';
import { connectModern } from '#support/mcp-clients.ts';
import { allowAsOwner } from '#support/person.ts';
import { programOf, runProgram } from '#support/run-program.ts';
import { newPerson, newSitePort, sharedServer } from '#support/shared.ts';
import type { Person, SharedServer } from '#support/shared.ts';
import { htmlPage, send, startOrigin } from '#support/origin.ts';
import type { Origin } from '#support/origin.ts';
import baseline from '../conformance/baseline.json';

/**
 * The official conformance suite against the built Worker, in both protocol eras. It asks for fixtures by name; where
 * the product has a tool, prompt or resource that can show the same behaviour, that one stands in. What is left is in
 * `test/conformance/baseline.json` with its reason: a check that fails and is not there fails the test, and so does one
 * that is there and does not fail.
 */

const SUITE = programOf('@modelcontextprotocol/conformance', 'conformance');

let site: Origin;
let server: SharedServer;
let person: Person;
let proxy: BearerProxy;
let results: string;

beforeAll(async () => {
  results = mkdtempSync(join(tmpdir(), 'periscope-conformance-'));
  const page = send(
    htmlPage('Chapter 123', '<p>Platform 123 is closed on Sundays, and the ferry leaves from 124.</p>'),
  );
  site = await startOrigin({ '/a': page, '/b': page, '/c': page }, undefined, await newSitePort());
  server = await sharedServer();
  const url = `${site.url}/a`;
  person = await newPerson('conformance');
  const client = await connectModern(person);
  const { structured } = await client.call('web_open', { url });
  const shown = await client.call('browser_navigate', { url });
  if (shown.isError) throw new Error(shown.text);
  await client.close();
  const stored = `resource://cache/${String(structured['snapshot'])}`;
  proxy = await startBearerProxy(person, {
    test_simple_text: { name: 'web_extract', arguments: { html: '<p>Some text that can be read.</p>' } },
    test_image_content: { name: 'browser_screenshot', arguments: {} },
    test_error_handling: { name: 'open_url', arguments: { url: 'not a web address' } },
    test_tool_with_progress: {
      name: 'web_batch_open',
      arguments: { urls: [`${site.url}/a`, `${site.url}/b`, `${site.url}/c`] },
    },
    test_simple_prompt: { name: 'docs_summarize_for_coding', arguments: { url } },
    test_prompt_with_arguments: {
      name: 'docs_summarize_for_coding',
      arguments: { url, focus: 'testValue1 and testValue2' },
      ref: { type: 'ref/prompt', name: 'docs_summarize_for_coding' },
      argument: { name: 'url', value: 'http' },
    },
    test_prompt_with_embedded_resource: { name: 'docs_extract_api_surface', arguments: { url } },
    'test://static-text': { uri: stored },
    'test://template/123/data': { uri: stored },
  });
});

afterAll(async () => {
  await proxy?.close();
  await site?.close();
  rmSync(results, { recursive: true, force: true });
});

type Check = { id: string; status: string; errorMessage?: string };

/** `scenario:check` and why, of everything that is not a success. */
function problemsIn(folder: string): Map<string, string> {
  const problems = new Map<string, string>();
  for (const run of readdirSync(folder)) {
    const scenario = run.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
    for (const check of JSON.parse(readFileSync(join(folder, run, 'checks.json'), 'utf8')) as Check[]) {
      if (check.status === 'SUCCESS' || check.status === 'INFO') continue;
      problems.set(`${scenario}:${check.id}`, `${check.status} ${check.errorMessage ?? ''}`);
    }
  }
  return problems;
}

describe.each(['2025-11-25', '2026-07-28'] as const)('the conformance suite for %s', (revision) => {
  it('finds exactly the failures in the baseline', async () => {
    const folder = join(results, revision);
    const args = ['--url', proxy.mcpUrl, '--requirements', revision, '-o', folder];
    const { stdout } = await runProgram(SUITE, ['server', ...args]);
    expect(stdout).toContain('=== SUMMARY ===');
    const problems = problemsIn(folder);
    const known = new Set(baseline[revision].flatMap(({ checks }) => checks));
    const unexpected = [...problems].filter(([check]) => !known.has(check));
    const stale = [...known].filter((check) => !problems.has(check));
    expect({ unexpected, stale }).toEqual({ unexpected: [], stale: [] });
  });

  it('has a reason for every excluded check, and excludes no check twice', () => {
    const checks = baseline[revision].flatMap((group) => group.checks);
    expect(new Set(checks).size).toBe(checks.length);
    for (const { reason } of baseline[revision]) expect(reason).toMatch(/^[A-Z].{20,}\.$/);
  });
});

describe('the conformance suite for authorization servers', () => {
  it('passes in every scenario: metadata, and a code grant by a user who allows it', async () => {
    const { origin } = new URL(server.mcpUrl);
    const port = await findFreePort();
    const registered = await fetch(`${origin}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'The conformance suite',
        redirect_uris: [`http://127.0.0.1:${port}/callback`],
        token_endpoint_auth_method: 'none',
      }),
    });
    const { client_id: id } = await registered.json<{ client_id: string }>();
    const folder = join(results, 'authorization');
    const output = await authorize(['--url', origin, '--client-id', id, '--resource', server.mcpUrl], port, folder);
    expect(output).toContain('authorization-code-grant');
    expect([...problemsIn(folder)]).toEqual([]);
    expect(readdirSync(folder)).toHaveLength(2);
  });
});

/** Runs the scenarios; when they ask for a person, one signs in, allows, and comes back with the answer. */
async function authorize(args: string[], port: number, folder: string): Promise<string> {
  const child = spawn(process.execPath, [SUITE, 'authorization', ...args, '-p', String(port), '-o', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const people: Promise<unknown>[] = [];
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    const asked = /^http:\/\/localhost:\d+\/authorize\?\S+$/m.exec(output)?.[0];
    if (people.length > 0 || asked === undefined || !output.includes('Callback server started')) return;
    people.push(allowAsOwner(asked, server.passphrase).then((answer) => fetch(answer)));
  });
  await new Promise((resolve) => child.on('close', resolve));
  await Promise.all(people);
  return output;
}
