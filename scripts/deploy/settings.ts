import { CONFIG_NAMES, ConfigError, describeConfig, isLoopbackHost, parseConfig } from '#core/config/config.ts';
import { StopError } from '#scripts/local/stop-error.ts';

/** The settings in the environment of `npm run deploy`, by kind. */
export type DeploySettings = { vars: Record<string, string>; secrets: Record<string, string> };

const FOR_DEVELOPMENT = ['LOCAL_ACCESS_TOKEN', 'LOCAL_SIGN_IN_KEY', 'ALLOWED_PRIVATE_HOSTS'];

/**
 * Reads every setting in the environment, and checks it as the Worker will.
 * @param domain the user's own domain, which becomes the public address
 * @throws {StopError} if a value is not allowed, or is for development only
 */
export function readDeploySettings(
  environment: Readonly<Record<string, string | undefined>>,
  domain: string | null,
): DeploySettings {
  const given = Object.fromEntries(
    CONFIG_NAMES.flatMap((name) => {
      const value = environment[name]?.trim() ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );
  const misplaced = FOR_DEVELOPMENT.filter((name) => given[name] !== undefined);
  if (misplaced.length > 0) {
    throw new StopError(
      `${misplaced.join(' and ')} is for development: unset it, because a public deployment must not have it.`,
    );
  }
  const url = domain === null ? given['PUBLIC_URL'] : `https://${domain}`;
  const values = url === undefined ? given : { ...given, PUBLIC_URL: url };
  check(values);
  const secretNames = new Set(describeConfig().flatMap(({ name, secret }) => (secret ? [name] : [])));
  const pick = (isSecret: boolean) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => secretNames.has(name) === isSecret));
  return { vars: pick(false), secrets: pick(true) };
}

function check(values: Record<string, string>): void {
  try {
    const { PUBLIC_URL: url } = parseConfig(values);
    if (url !== undefined && isLoopbackHost(new URL(url).hostname)) {
      throw new StopError('PUBLIC_URL is a loopback address: set it to the address people will use, or unset it.');
    }
  } catch (error) {
    throw error instanceof ConfigError ? new StopError(error.message) : error;
  }
}
