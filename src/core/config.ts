import { z } from 'zod';

/**
 * Configuration: every name, default and permitted range of SPEC §12 in one schema. Values arrive as strings (vars,
 * secrets, `.dev.vars`); an empty string means "not set".
 */

const flag = (fallback: boolean) =>
  z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default(fallback ? 'true' : 'false')
    .transform((value) => value === 'true');

const whole = (fallback: number, min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .default(String(fallback))
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

const text = z.string().optional();

const HOST_NAME = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/i;
const HOST_PORT = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+):\d{1,5}$/i;

const list = (item: RegExp, example: string) =>
  z
    .string()
    .default('')
    .transform((value) =>
      value
        .split(',')
        .map((part) => part.trim().toLowerCase())
        .filter((part) => part !== ''),
    )
    .refine((parts) => parts.every((part) => item.test(part)), `must be a comma-separated list such as ${example}`);

const httpUrl = (example: string) =>
  z
    .string()
    .refine(
      (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
      `must be an http or https URL such as ${example}`,
    )
    .optional();

const schema = z.object({
  PUBLIC_URL: httpUrl('https://periscope.example.com').transform((value) =>
    value === undefined ? undefined : new URL(value).origin,
  ),
  USER_AGENT: z
    .string()
    .regex(/^[\x20-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters')
    .optional(),
  MAX_BYTES: whole(5_000_000, 10_000, 20_000_000),
  TIMEOUT_MS: whole(20_000, 1_000, 40_000),
  RESPECT_ROBOTS: flag(true),
  RENDER_ENABLED: flag(false),
  EVALUATE_ENABLED: flag(false),
  ALLOWLIST_DOMAINS: list(HOST_NAME, 'example.com,docs.example.org'),
  DENYLIST_DOMAINS: list(HOST_NAME, 'example.com,docs.example.org'),
  ALLOWED_PRIVATE_HOSTS: list(HOST_PORT, '127.0.0.1:8080,localhost:3000'),
  CACHE_TTL_SECONDS: whole(3_600, 0, 2_592_000),
  CACHE_MAX_BYTES: whole(500_000_000, 1_000_000, 8_000_000_000),
  CURSOR_TTL_HOURS: whole(24, 1, 720),
  SESSION_IDLE_MINUTES: whole(30, 1, 1_440),
  MAX_SESSIONS_PER_CLIENT: whole(10, 1, 100),
  MAX_SESSIONS: whole(30, 1, 1_000),
  BRAVE_API_KEY: text,
  SEARXNG_URL: httpUrl('https://searx.example.com'),
  OWNER_PASSPHRASE: text,
  OIDC_ISSUER: httpUrl('https://login.example.com'),
  OIDC_CLIENT_ID: text,
  OIDC_CLIENT_SECRET: text,
  GITHUB_CLIENT_ID: text,
  GITHUB_CLIENT_SECRET: text,
  ALLOWED_USERS: text,
  LOCAL_ACCESS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/, 'must be 16 to 200 printable characters without spaces')
    .optional(),
});

export type Config = z.output<typeof schema>;

/** The names a deployment may set, in the order of the schema. */
export const CONFIG_NAMES: readonly string[] = Object.keys(schema.shape);

export class ConfigError extends Error {
  override name = 'ConfigError';
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/**
 * Parses the environment once.
 * @throws {ConfigError} naming the variable and what is allowed, never its value.
 */
export function parseConfig(env: Readonly<Record<string, unknown>>): Config {
  const given = Object.fromEntries(
    CONFIG_NAMES.flatMap((name) => {
      const value = env[name];
      return typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : [];
    }),
  );
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
    throw new ConfigError(`Configuration: ${problems.join('; ')}.`);
  }
  const config = parsed.data;
  const isPublic = config.PUBLIC_URL !== undefined && !isLoopbackHost(new URL(config.PUBLIC_URL).hostname);
  if (isPublic && config.ALLOWED_PRIVATE_HOSTS.length > 0) {
    throw new ConfigError(
      'Configuration: ALLOWED_PRIVATE_HOSTS is for development only and must be empty when PUBLIC_URL is a public address.',
    );
  }
  return config;
}
