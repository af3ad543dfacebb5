import { isCitationPath } from '#core/citation.ts';
import { PATHS, sessionOfLivePath } from '#core/paths.ts';

const CONSOLE_PATH = /^\/console(?:\/[a-z]+)*$/;

/**
 * One of our paths to continue with after signing in: an authorization request, a page of the console, a citation, the
 * live view of a session, or the start page. Anything else would be an open redirect.
 * @param next as the browser sent it
 * @param origin the public one
 */
export function localPath(next: string, origin: string): string {
  if (!URL.canParse(next, origin)) return '/';
  const url = new URL(next, origin);
  return url.origin === origin && isPlace(url.pathname) ? url.pathname + url.search : '/';
}

function isPlace(path: string): boolean {
  if (path === PATHS.authorize || CONSOLE_PATH.test(path)) return true;
  return isCitationPath(path) || sessionOfLivePath(path) !== null;
}
