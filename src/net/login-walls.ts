import { LOGIN_TEXT_CHARS_MAX } from './limits.ts';
import type { PageOutline } from './page-outline.ts';

const UNAUTHORIZED = 401;
const SIGN_IN_PATH =
  /(?:^|[/_.-])(?:log-?_?in|sign-?_?in|logon|signon|sso|authenticate|wp-login\.php|oauth2?\/authori[sz]e|saml2?|session(?:s)?\/new)(?:[/_.?-]|$)/i;
const SIGN_IN_HOST = /^(?:accounts|login|signin|sso|auth|idp)\.|\.(?:okta|auth0|onelogin)\.com$/i;

/**
 * Whether an answer asks for a sign-in instead of showing the page: HTTP 401, a redirect from elsewhere to a sign-in
 * address with nothing to read on it, or a page that is a password field and little else. A sign-in form beside content
 * is no wall.
 */
export function isLoginWall(input: {
  status: number;
  requestedUrl: string;
  finalUrl: string;
  page: PageOutline | null;
}): boolean {
  if (input.status === UNAUTHORIZED) return true;
  const { page } = input;
  if (page === null || page.proseChars > LOGIN_TEXT_CHARS_MAX) return false;
  // Without a word to see it is the shell of a page that scripts will write, with a sign-in dialog kept ready.
  if (page.asksPassword && page.text !== '') return true;
  return isSignInUrl(input.finalUrl) && !isSignInUrl(input.requestedUrl);
}

function isSignInUrl(text: string): boolean {
  const url = new URL(text);
  return SIGN_IN_HOST.test(url.hostname) || SIGN_IN_PATH.test(url.pathname);
}
