import * as z from 'zod';
import { StopError } from '#scripts/local/stop-error.ts';
import type { Wrangler } from './wrangler.ts';

/** Cloudflare's API, with Wrangler's sign-in. Wrangler itself uploads the Worker. */
export type CloudflareApi = {
  /** @throws {ApiError} with Cloudflare's answer */
  get: (path: string) => Promise<unknown>;
  /** @throws {ApiError} with Cloudflare's answer */
  post: (path: string, body: object) => Promise<unknown>;
};

const NO_WORKER = [10_007, 10_090];

/** Cloudflare refused the request. */
export class ApiError extends StopError {
  /** HTTP status of the answer. */
  readonly status: number;
  readonly codes: readonly number[];
  get isNoWorker(): boolean {
    return this.codes.some((code) => NO_WORKER.includes(code));
  }
  constructor(what: string, status: number, errors: readonly { code: number; message: string }[]) {
    const said = errors.map(({ code, message }) => `${message} (code ${code})`).join('; ');
    super(`Cloudflare did not ${what}: ${said}.`);
    this.status = status;
    this.codes = errors.map(({ code }) => code);
  }
}

const DEADLINE_MS = 30_000;

const credentialsSchema = z.union([z.object({ token: z.string() }), z.object({ key: z.string(), email: z.string() })]);
type Credentials = z.infer<typeof credentialsSchema>;
const answerSchema = z.object({
  errors: z.array(z.object({ code: z.number(), message: z.string() })).nullish(),
  result: z.unknown(),
});

/** @throws {StopError} if nobody is signed in */
export async function cloudflareApi(wrangler: Wrangler): Promise<CloudflareApi> {
  const credentials = tokenOfEnvironment() ?? (await askWrangler(wrangler));
  const headers: Record<string, string> =
    'token' in credentials
      ? { authorization: `Bearer ${credentials.token}` }
      : { 'x-auth-key': credentials.key, 'x-auth-email': credentials.email };
  return {
    get: (path) => ask(`show ${path}`, path, { headers }),
    post: (path, body) =>
      ask(`take ${path}`, path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
  };
}

/**
 * The same result as Wrangler's, without the seconds that starting it takes. `null` if there is a global key, which
 * Wrangler prefers.
 */
function tokenOfEnvironment(): Credentials | null {
  const { CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_API_KEY: key, CF_API_KEY: oldKey } = process.env;
  return token && !key && !oldKey ? { token } : null;
}

async function askWrangler(wrangler: Wrangler): Promise<Credentials> {
  const printed = await wrangler.readOr(['auth', 'token', '--json'], /not (?:authenticated|logged in)/iu);
  if (printed !== null) return credentialsSchema.parse(JSON.parse(printed.slice(printed.indexOf('{'))));
  throw new StopError('Nobody is signed in to Cloudflare: run npx wrangler login, or set CLOUDFLARE_API_TOKEN.');
}

async function ask(what: string, path: string, init: RequestInit): Promise<unknown> {
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(`${apiBase()}${path}`, { ...init, signal: AbortSignal.timeout(DEADLINE_MS) });
    text = await answer.text();
  } catch {
    throw new StopError(
      `Cloudflare's API cannot be reached (${path}). Is there a connection to the internet? What was made is found when you run this again.`,
    );
  }
  const { success, data } = answerSchema.safeParse(parseJson(text));
  if (answer.ok && success) return data.result;
  const errors = success && data.errors ? data.errors : [];
  throw new ApiError(
    what,
    answer.status,
    errors.length > 0 ? errors : [{ code: answer.status, message: 'HTTP status' }],
  );
}

/** The parsed JSON; `null` if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Wrangler has the same setting. */
function apiBase(): string {
  return process.env['CLOUDFLARE_API_BASE_URL'] ?? 'https://api.cloudflare.com/client/v4';
}
