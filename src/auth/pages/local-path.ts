import { PATHS, sessionOfLivePath } from '#core/paths.ts';

const CONSOLE_PATH = /^\/console(?:\/[a-z]+)*$/;

/**
 * One of our paths to continue with after signing in: an authorization request, a page of the console, the live
 * view of a session, or the start page. Anything else would be an open redirect.
 * @param next as the browser sent it
 * @param origin the public one
 */
export function localPath(next: string, origin: string): string {
  if (!URL.canParse(next, origin)) return '/';
  const url = new URL(next, origin);
  const isOurs =
    url.origin === origin &&
    (url.pathname === PATHS.authorize || CONSOLE_PATH.test(url.pathname) || sessionOfLivePath(url.pathname) !== null);
  return isOurs ? url.pathname + url.search : '/';
}
