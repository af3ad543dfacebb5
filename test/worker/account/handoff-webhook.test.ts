import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { ConfigError, parseConfig } from '#core/config/config.ts';
import { toHex } from '#core/text/text.ts';
import { createCallParts } from '#compose.ts';
import { readLastWebhook, sendHandoffWebhook } from '#account/handoff-webhook.ts';
import { world } from '#support/net-world.ts';
import type { Route, World } from '#support/net-world.ts';
import { ORIGIN } from '#support/oauth-journey.ts';
import { personRows } from '#support/stored-people.ts';

const HOOK = 'https://hooks.acme.dev/services/one';
const SETTINGS = { HANDOFF_WEBHOOK_URL: HOOK, HANDOFF_WEBHOOK_SECRET: 'a secret for signatures' };
const ASKED = { reason: 'Sign in <!channel> & `@all`\nat https://evil.dev', link: `${ORIGIN}/live/default` };
const ANA = 'u_hook_ana';

type Sent = { body: string; headers: Record<string, string> };

/** Calls the webhook of a world. @returns the request that arrived, and the stored result for the health check */
async function told(route: Route | null, settings: Record<string, string> = SETTINGS, subject = ANA) {
  const sent: Sent[] = [];
  const at: World = world({
    [settings['HANDOFF_WEBHOOK_URL'] ?? HOOK]: (init) => {
      sent.push({ body: init.body ?? '', headers: init.headers });
      if (route instanceof Error) throw route;
      return typeof route === 'function' ? route(init, 1) : (route ?? new Response('ok'));
    },
  });
  const parts = createCallParts(env, parseConfig({ ...env, ...settings }), ORIGIN);
  await env.OAUTH_KV.delete('handoff-webhook');
  await sendHandoffWebhook(subject, ASKED, { ...parts, net: { ...parts.net, ...at } });
  return { sent, requested: at.requested, last: await readLastWebhook(env.OAUTH_KV) };
}

async function signature(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
  return `v1=${toHex(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))}`;
}

describe('the webhook for hand-offs', () => {
  beforeAll(() =>
    personRows().signedIn(ANA, { way: 'oidc', issuer: 'https://login.acme.dev/', id: 'sub', emails: ['ana@acme.dev'] }),
  );

  it("receives the reason, the user whom the model waits for and the link, in Slack's format and signed", async () => {
    const { sent, last } = await told(null);
    const [{ body, headers } = { body: '', headers: {} }] = sent;
    expect(JSON.parse(body)).toEqual({
      text: `The model of \`ana@acme.dev\` waits for its person: \`Sign in &lt;!channel&gt; &amp; '@all' at https://evil.dev\`\nTake over: ${ASKED.link}`,
    });
    const timestamp = headers['x-periscope-timestamp'] ?? '';
    expect(Number(timestamp)).toBe(Date.parse('2026-11-21T12:00:00Z') / 1_000);
    expect(headers['x-periscope-signature']).toBe(await signature('a secret for signatures', `${timestamp}.${body}`));
    expect(last?.outcome).toBe('sent');
  });

  it('is called at most ten times in ten minutes for one person', async () => {
    const counts: number[] = [];
    for (let asked = 0; asked < 12; asked += 1) counts.push((await told(null, SETTINGS, 'u_hook_carl')).sent.length);
    expect(counts).toEqual([...Array.from({ length: 10 }, () => 1), 0, 0]);
    expect((await told(null)).sent).toHaveLength(1);
  });

  it.each([
    ['that answers with an error', new Response('no', { status: 500 }), 'http_500'],
    [
      'that redirects',
      new Response(null, { status: 302, headers: { location: 'https://elsewhere.acme.dev/' } }),
      'http_302',
    ],
    ['that cannot be reached', new TypeError('network'), 'not_reached'],
  ])('%s makes nothing fail, and the health check reports it', async (_, route, outcome) => {
    const { requested, last } = await told(route);
    expect(requested).toEqual([HOOK]);
    expect(last?.outcome).toBe(outcome);
  });

  it.each([['http://169.254.169.254/latest'], ['http://localhost:9/hook'], ['https://periscope.example.net/mcp']])(
    'is not called where no page may be fetched: %s',
    async (url) => {
      const { requested, last } = await told(null, { ...SETTINGS, HANDOFF_WEBHOOK_URL: url });
      expect([requested, last?.outcome]).toEqual([[], 'ssrf_blocked']);
    },
  );

  it('is called at any address, whatever sites models may read', async () => {
    expect((await told(null, { ...SETTINGS, ALLOWLIST_DOMAINS: 'docs.acme.dev' })).last?.outcome).toBe('sent');
  });

  it('is configured together with its secret, or not at all', () => {
    expect(() => parseConfig({ HANDOFF_WEBHOOK_URL: HOOK })).toThrow(ConfigError);
  });
});
