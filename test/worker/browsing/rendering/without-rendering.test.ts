import { env } from 'cloudflare:workers';
import { createExecutionContext } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { composeServices, createCallParts } from '#compose.ts';
import { parseConfig } from '#core/config/config.ts';
import { openPage } from '#reading/open/open-page.ts';

describe('a deployment without rendering', () => {
  const services = () => {
    const config = parseConfig({ ...env, RENDER_ENABLED: 'false' });
    const principal = { subject: 'plain', scopes: [] };
    return composeServices(createCallParts(env, config, 'http://localhost'), createExecutionContext(), principal)
      .services;
  };
  const openWithout = (mode: 'auto' | 'rendered') =>
    openPage(
      { requestedUrl: 'http://app.acme.dev/slow', mode, refresh: true, holdUntil: 0 },
      AbortSignal.timeout(10_000),
      services(),
    );

  it('refuses rendered mode', async () => {
    const error = await openWithout('rendered').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ failure: { code: 'render_disabled' } });
  });

  it('reports that the scripts of a page were not run', async () => {
    const { notes, lines } = await openWithout('auto');
    expect(lines).toEqual(['Loading']);
    expect(notes[0]).toContain('with scripts, which were not run');
  });
});
