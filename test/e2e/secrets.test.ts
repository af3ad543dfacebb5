import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectModern } from '#support/mcp-clients.ts';
import type { TestClient, ToolResult } from '#support/mcp-clients.ts';
import { startRealBrowser } from '#support/real-browser.ts';
import type { RealBrowser } from '#support/real-browser.ts';
import { startServer } from '#support/server.ts';
import type { TestServer } from '#support/server.ts';
import { storedIn } from '#support/stored-bytes.ts';
import { startVaultSite } from '#support/vault-site.ts';
import type { VaultSite } from '#support/vault-site.ts';

/** A person keeps a secret in the console, and a model signs in with it, for real: `npm start`, Chromium, an MCP client. */

const PASSPHRASE = 'eleven terns along the shingle';

let vault: VaultSite;
let server: TestServer;
let model: TestClient;
let person: RealBrowser;
const told: string[] = [];

beforeAll(async () => {
  vault = await startVaultSite();
  server = await startServer({ ALLOWED_PRIVATE_HOSTS: vault.host, OWNER_PASSPHRASE: PASSPHRASE });
  model = await connectModern(server);
  person = await startRealBrowser();
});
afterAll(async () => {
  await person?.close();
  await model?.close();
  await server?.close();
  await vault?.close();
});

async function ask(tool: string, args: Record<string, unknown>): Promise<ToolResult> {
  const result = await model.call(tool, { session: 'vault', ...args });
  told.push(result.text, JSON.stringify(result.structured));
  return result;
}

async function lookAround(): Promise<void> {
  for (const [tool, args] of [
    ['browser_snapshot', { compact: false }],
    ['browser_html', { keep_scripts: true }],
    ['browser_read', { selector: 'body' }],
    ['browser_log', { kind: 'console' }],
    ['browser_log', { kind: 'requests' }],
  ] as const) {
    await ask(tool, args);
  }
}

it('lets a model pass a password and a code that nothing but the site and the sealed secret has', async () => {
  await person.goTo(`${new URL(server.mcpUrl).origin}/console/secrets`);
  await person.type('passphrase', PASSPHRASE);
  await person.click('form[action="/sign-in"] button');
  const fields = { name: 'vault', sites: vault.url, value: vault.password, seed: vault.key };
  for (const [name, text] of Object.entries(fields)) await person.type(name, text);
  await person.click('form[action="/console/secrets"] button');
  expect(await person.see('document.body.textContent')).toContain('secret:vault.otp');
  expect(await person.see('document.documentElement.outerHTML')).not.toContain(vault.password);
  expect(person.complaints).toEqual([]);

  const met = await ask('browser_navigate', { url: vault.url });
  const step = (value: string) => expect.stringContaining(`browser_fill {"selectors":["…"],"values":["${value}"]`);
  expect(met.structured['next_steps']).toContainEqual(step('secret:vault'));
  await ask('browser_fill', { selectors: ['input'], values: ['secret:vault'] });
  await lookAround();
  expect((await ask('browser_evaluate', { script: 'field.value' })).text).toContain('script_blocked');
  const asked = await ask('browser_click', { selector: 'button' });
  expect(asked.text).toContain('Enter the code');
  expect(asked.structured['next_steps']).toContainEqual(step('secret:vault.otp'));
  const codes = [vault.code()];
  await ask('browser_type', { selector: 'input', text: 'secret:vault.otp' });
  codes.push(vault.code());
  await lookAround();
  await ask('browser_click', { selector: 'button' });
  expect((await ask('browser_snapshot', {})).text).toContain('The vault is open');

  await server.killAndRestart();
  const back = await ask('browser_navigate', { history: 'reload', snapshot: true });
  expect(back.structured).toMatchObject({ restored: true });
  expect(back.text).toContain('The vault is open');
  const key = new URL(vault.key).searchParams.get('secret') ?? '';
  for (const secret of [vault.password, key, ...codes]) {
    expect(told.filter((text) => text.includes(secret))).toEqual([]);
    expect(server.output()).not.toContain(secret);
    expect([...storedIn(server.home)].filter(([, bytes]) => bytes.includes(secret)).map(([path]) => path)).toEqual([]);
  }
});
