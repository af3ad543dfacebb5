import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { objectNamed } from '#core/objects.ts';
import { grantFor } from '#support/grants.ts';
import { callTool, structured } from '#support/mcp-call.ts';
import { replaced } from '#support/replaced.ts';
import { serverWith } from '#support/server-with.ts';

const HOOK = 'https://hooks.acme.dev/services/one';
const SETTINGS = { HANDOFF_WEBHOOK_URL: HOOK, HANDOFF_WEBHOOK_SECRET: 'a secret for signatures' };

describe('a hand-off', () => {
  const arrived: string[] = [];
  let stop: () => void;
  let token = '';
  const send = serverWith({ ...SETTINGS, ALLOWED_PRIVATE_HOSTS: 'hooks.acme.dev:443' });
  const call = async (name: string, args: Record<string, unknown>) =>
    structured(await callTool('modern', name, args, { token, send }));

  beforeAll(async () => {
    token = await grantFor('u_hook_bert', ['web:read', 'browser:use']);
    stop = replaced(globalThis, 'fetch', (fetch, self, args) => {
      if (args[0] !== HOOK) return Reflect.apply(fetch, self, args);
      arrived.push(args[0]);
      return Promise.resolve(new Response('broken', { status: 500 }));
    });
  });
  afterAll(async () => {
    stop();
    await call('browser_close', {});
  });

  it('is announced once, even if the model asks several times, and ends if nobody accepts it', async () => {
    await call('browser_launch', {});
    const asked = await call('browser_handoff', { reason: 'Sign in' });
    expect(asked['state']).toBe('waiting');
    await expect.poll(() => arrived.length).toBe(1);
    await objectNamed(env.BROWSER_SESSION, 'private/u_hook_bert/default').decline();
    expect((await call('browser_handoff', { reason: 'Sign in' }))['state']).toBe('declined');
    expect((await call('browser_handoff', { reason: 'Another thing' }))['state']).toBe('waiting');
    await expect.poll(() => arrived.length).toBe(2);
  });
});
