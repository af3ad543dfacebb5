import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { rendererOf } from '#browsing/rendering/port.ts';
import { sessionKey } from '#browsing/session/session-name.ts';
import { grantFor } from '#support/grants.ts';
import { callTool, structured } from '#support/mcp-call.ts';
import { refusingBinding } from '#support/refusing-browser.ts';

const SUBJECT = 'somebody-behind-a-gate-on-targets';
const LOGIN = 'http://login.acme.dev';
const APP = 'http://app.acme.dev/fetches';
const MINUTE_MS = 60_000;

const session = env.BROWSER_SESSION.get(env.BROWSER_SESSION.idFromName(sessionKey(SUBJECT, 'default')));
const renderer = env.RENDERER.get(env.RENDERER.idFromName(rendererOf(APP)));
/** How often the browser as a whole was asked to let its requests be watched, and refused. */
let refused = 0;
let token = '';

const refusing = refusingBinding(env.BROWSER, 'on the browser', () => (refused += 1));

/** The platform is what is pretended: the object goes on with a browser service that knows less. */
async function giveBinding(binding: unknown): Promise<void> {
  for (const object of [session, renderer]) {
    await runInDurableObject(
      object,
      (instance: object) => void Object.assign(instance, { env: { ...env, BROWSER: binding } }),
    );
  }
}

/** As its rest would: the next page starts a browser. */
async function endRenderer(): Promise<void> {
  await runInDurableObject(renderer, async (instance) => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 5 * MINUTE_MS);
    await instance.alarm();
    vi.restoreAllMocks();
  });
}

async function call(tool: string, args: Record<string, unknown>) {
  const { result } = await callTool('modern', tool, args, { token });
  return { text: result?.content?.at(-1)?.text ?? '', structured: result?.structuredContent ?? {} };
}

beforeAll(async () => {
  token = await grantFor(SUBJECT, ['web:read', 'browser:use', 'browser:evaluate']);
  await endRenderer();
  await giveBinding(refusing);
});

afterAll(async () => {
  await call('browser_close', {});
  await endRenderer();
  await giveBinding(env.BROWSER);
});

describe('behind a gate on each target', () => {
  it('a parked session comes back signed in, and its pages reach nothing that is not public', async () => {
    await call('browser_navigate', { url: `${LOGIN}/` });
    await call('browser_navigate', { url: `${LOGIN}/who` });
    expect(refused).toBe(1);
    await vi.waitFor(async () => {
      await runInDurableObject(session, (instance) => {
        instance.clock = () => Date.now() + 31 * MINUTE_MS;
      });
      await runDurableObjectAlarm(session);
      const kept = await runInDurableObject(session, (_, { storage }) => storage.get<{ browserId: null }>('kept'));
      expect(kept?.browserId).toBeNull();
    });
    await runInDurableObject(session, (instance) => {
      instance.clock = Date.now;
    });

    const back = await call('browser_snapshot', {});
    expect(refused).toBe(2);
    expect(back.structured).toMatchObject({ restored: true, tab: { url: `${LOGIN}/who` } });
    expect(back.text).toContain('session=abc-of-the-test');
    expect(back.text).toContain('Cart: 3 pens');
    const script = `return fetch('http://10.9.8.7/inside', { mode: 'no-cors' }).then(() => 'reached', () => 'not reached')`;
    const asked = await call('browser_evaluate', { script });
    expect(asked.text).toContain('not reached');
    expect(asked.text).toContain('the address is not a public one');
  });

  it('a page is rendered with what its scripts fetch', async () => {
    const before = refused;
    const page = structured(await callTool('modern', 'web_open', { url: APP, mode: 'rendered' }, { token }));
    expect(refused).toBe(before + 1);
    expect(page['markdown']).toContain('under water, number 11 of them.');
    expect(page['notes']).toEqual(['This page was rendered in a browser, as asked for.']);
  });
});
