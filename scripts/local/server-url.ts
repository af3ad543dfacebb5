import { isLoopbackHost } from '#core/config/config.ts';
import { notedPort, readPort } from './port.ts';
import { StopError } from './stop-error.ts';

/**
 * The origin of the Periscope that a command addresses; by default the local one.
 * @param home data folder of the local one
 * @throws {StopError} for an address over which a secret would travel unencrypted
 */
export function serverUrl(given: string | undefined, home: string): URL {
  const text = given ?? `http://localhost:${readPort(process.env['PORT'] ?? notedPort(home))}`;
  if (!URL.canParse(text)) throw new StopError('--url must be an address such as https://periscope.example.com.');
  const url = new URL(new URL(text).origin);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackHost(url.hostname))) {
    throw new StopError('--url must be https: what nobody else may know is sent there.');
  }
  return url;
}
