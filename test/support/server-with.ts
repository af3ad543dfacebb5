import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { parseConfig } from '#core/config/config.ts';
import { findOrCreateDoor } from '#doors.ts';

/** The Worker with other settings than those of the tests, for `send` of a call. */
export function serverWith(settings: Record<string, string>): (request: Request) => Promise<Response> {
  const own = { ...env };
  const config = parseConfig({ ...env, ...settings });
  return (request) => findOrCreateDoor('http://localhost', config, own).fetch(request, createExecutionContext());
}
