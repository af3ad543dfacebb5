import { z } from 'zod';
import { START } from '#scripts/local/project.ts';
import { StopError } from '#scripts/local/stop-error.ts';

/** The console of a running Periscope, with its owner signed in. */
export type Console = {
  list: () => Promise<ListedToken[]>;
  create: (wish: { name: string; scopes: readonly string[]; days: string }) => Promise<MadeToken>;
  revoke: (id: string) => Promise<void>;
};

const tokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  expires_at: z.string(),
});
const listedSchema = tokenSchema.extend({ created_at: z.string(), last_used_at: z.string().nullable() });
const listSchema = z.object({ form: z.string(), scopes: z.array(z.string()), tokens: z.array(listedSchema) });
const madeSchema = tokenSchema.extend({ token: z.string() });
const problemSchema = z.object({ error: z.string() });

export type ListedToken = z.infer<typeof listedSchema>;
export type MadeToken = z.infer<typeof madeSchema>;

const TOKENS_PATH = '/console/tokens';
const TIMEOUT_MS = 30_000;
const THROTTLED = 429;
const NOT_SIGNED_IN = 401;

/** Signs in on the sign-in page, as a browser would. @throws {StopError} with a message for the user */
export async function openConsole(server: URL, passphrase: string): Promise<Console> {
  const cookies = new Map<string, string>();
  const page = await (await ask('/sign-in')).text();
  const form = /name="form" value="([^"]+)"/.exec(page)?.[1];
  if (form === undefined || !page.includes('action="/sign-in"')) {
    throw new StopError(
      `${server.origin} has no sign-in page that takes a passphrase. Make tokens at ${server.origin}${TOKENS_PATH}.`,
    );
  }
  const answer = await ask('/sign-in', { form, passphrase, next: TOKENS_PATH, client: '' });
  if (answer.status === NOT_SIGNED_IN) throw new StopError(`That is not the passphrase of ${server.origin}.`);
  if (answer.status === THROTTLED) throw new StopError('Too many attempts to sign in. Try again in 15 minutes.');

  async function ask(path: string, fields?: Record<string, string> | [string, string][]): Promise<Response> {
    const response = await attempt(server, path, {
      method: fields === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(path.startsWith(TOKENS_PATH) && { accept: 'application/json' }),
        ...(fields !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(fields !== undefined && { body: new URLSearchParams(fields).toString() }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response;
  }

  async function answerOf<T>(schema: z.ZodType<T>, asked: Promise<Response>): Promise<T> {
    const response = await asked;
    const text = await response.text();
    const parsed = parseJson(text);
    if (response.ok) return schema.parse(parsed);
    const problem = problemSchema.safeParse(parsed);
    throw new StopError(
      problem.success ? problem.data.error : `${server.origin} answered with status ${response.status}.`,
    );
  }

  const overview = () => answerOf(listSchema, ask(TOKENS_PATH));
  return {
    list: async () => (await overview()).tokens,
    create: async ({ name, scopes, days }) => {
      const { form: token, scopes: offered } = await overview();
      const unknown = scopes.filter((scope) => !offered.includes(scope));
      if (unknown.length > 0)
        throw new StopError(`No such permission: ${unknown.join(', ')}. There are: ${offered.join(', ')}.`);
      const chosen = scopes.map((scope): [string, string] => ['scope', scope]);
      return answerOf(madeSchema, ask(TOKENS_PATH, [['form', token], ['name', name], ['days', days], ...chosen]));
    },
    revoke: async (id) => {
      const { form: token } = await overview();
      await answerOf(z.object({ revoked: z.string() }), ask(`${TOKENS_PATH}/revoke`, { form: token, id }));
    },
  };
}

/** @throws {StopError} if nothing answers */
async function attempt(server: URL, path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(new URL(path, server), { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch {
    throw new StopError(`No Periscope answers at ${server.origin}. Is it running? ${START} runs one here.`);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
