import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '#browsing/session/replies.ts';
import { runInTab } from '#browsing/session/operations/perform.ts';
import { sessionKey } from '#browsing/session/session-name.ts';
import { PeriscopeError } from '#core/failures/failure.ts';
import { abortable } from '#core/flow/abort.ts';
import { objectNamed } from '#core/objects.ts';
import { grantFor } from '#support/grants.ts';
import { callTool } from '#support/mcp-call.ts';
import { sessionOn } from '#support/session-work.ts';

/** Cancelled calls of a session, without a Worker between. */

const SUBJECT = 'ada-of-cancelled';
const SESSION = 'cancelled';
const session = objectNamed(env.BROWSER_SESSION, sessionKey(SUBJECT, SESSION));
const CANCELLED = { code: 'cancelled' };

let token = '';
beforeAll(async () => {
  token = await grantFor(SUBJECT, ['web:read', 'browser:use', 'browser:evaluate']);
  await call('browser_navigate', { url: 'http://login.acme.dev/who' });
});
afterAll(() => call('browser_close', {}));

async function call(tool: string, args: Record<string, unknown>) {
  const { result } = await callTool('modern', tool, { session: SESSION, ...args }, { token });
  if (result?.isError === true) throw new Error(result.content?.[0]?.text);
  return result?.structuredContent ?? {};
}

function callerOf(id: string, request: string | null = null): Caller {
  return { subject: SUBJECT, ownHosts: [], session: SESSION, call: { id, request } };
}

/** Puts elements into the page. */
async function show(html: string): Promise<void> {
  await call('browser_evaluate', { script: `document.body.innerHTML = ${JSON.stringify(html)}; return 1` });
}

async function inPage(script: string): Promise<unknown> {
  return JSON.parse(String((await call('browser_evaluate', { script }))['value']));
}

const NEVER = { kind: 'wait', wanted: { kind: 'text', value: 'never', isGone: false } } as const;
const CLICK = { kind: 'click', target: 'button', button: 'left', clickCount: 1, modifiers: [] } as const;
const LIST = { snapshot: false, expectsDialog: false };

describe('a call that is cancelled', () => {
  it('ends with the number of completed steps, and frees the session for the next', async () => {
    await show('<button onclick="this.textContent = `clicked`">Go</button>');
    const id = crypto.randomUUID();
    const list = session.call(callerOf(id, 'request'), {}, 'do', { steps: [CLICK, NEVER, CLICK], ...LIST });
    await expect.poll(() => session.callsOf(SUBJECT, 'request')).toEqual([id]);
    await session.cancelCall(id);
    expect(await list).toMatchObject({ failure: { ...CANCELLED, listed: { total: 3 } } });
    expect(await session.callsOf(SUBJECT, 'request')).toEqual([]);
    expect(['Go', 'clicked']).toContain(await inPage('document.querySelector("button").textContent'));
  });

  it('does not run if it is queued', async () => {
    await show('<button onclick="document.title += `x`">Go</button>');
    const running = session.call(callerOf('runs'), {}, 'wait', {
      wanted: NEVER.wanted,
      timeoutMs: 20_000,
      snapshot: false,
    });
    const waits = session.call(callerOf('waits', 'waits'), {}, 'click', { ...CLICK, snapshot: false });
    await expect.poll(() => session.callsOf(SUBJECT, 'waits')).toEqual(['waits']);
    await session.cancelCall('waits');
    expect(await waits).toEqual({ failure: CANCELLED });
    await session.cancelCall('runs');
    expect(await running).toEqual({ failure: CANCELLED });
    expect(await inPage('document.title')).not.toContain('x');
  });

  it('does not run if it was cancelled before it arrived', async () => {
    await session.cancelCall('early');
    expect(await session.call(callerOf('early'), {}, 'click', { ...CLICK, snapshot: false })).toEqual({
      failure: CANCELLED,
    });
  });

  it('stops waiting for the user if it hands the browser over', async () => {
    const reason = { reason: 'Please sign in.', declines: false };
    await session.handoff(callerOf('asks first'), {}, reason);
    const waits = session.handoff(callerOf('waits', 'person'), {}, reason);
    await expect.poll(() => session.callsOf(SUBJECT, 'person')).toEqual(['waits']);
    await session.cancelCall('waits');
    expect(await waits).toEqual({ failure: CANCELLED });
    await session.decline();
  });

  it('leaves the session open if it was waiting to close it', async () => {
    const running = session.call(callerOf('runs'), {}, 'wait', {
      wanted: NEVER.wanted,
      timeoutMs: 20_000,
      snapshot: false,
    });
    const closes = session.close(callerOf('closes', 'closes'));
    await expect.poll(() => session.callsOf(SUBJECT, 'closes')).toEqual(['closes']);
    await session.cancelCall('closes');
    expect(await closes).toEqual({ failure: CANCELLED });
    await session.cancelCall('runs');
    await running;
    expect(await inPage('1 + 1')).toBe(2);
  });
});

describe('dialogs that open after a call was cancelled', () => {
  const open = sessionOn({ '/plain': '<p>Nothing asks here.</p>' });

  it('are no longer answered as the call specified', async () => {
    const { active, tab } = await open('/plain');
    const stop = new AbortController();
    const bounds = { effect: 'look', isLook: false, callMs: 60_000, texts: 'ours', cancelled: stop.signal } as const;
    const choice = { tab: tab.id, dialog: { accept: true } };
    const performed = runInTab<string>('s', active, choice, null, bounds, ({ signal }) =>
      abortable(new Promise<never>(() => undefined), signal),
    );
    await expect.poll(() => tab.dialogAnswer).toEqual({ accept: true });
    stop.abort(new PeriscopeError({ code: 'cancelled' }));
    await expect(performed).rejects.toMatchObject({ failure: { code: 'cancelled' } });
    expect(tab.dialogAnswer).toEqual({ accept: false });
  });
});
