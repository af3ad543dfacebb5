import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { describeOwnAccount } from '#auth/people/account.ts';
import type { SignedIn, SignInCookies } from '#auth/people/sign-ins.ts';
import { CONSOLE_LINK, formText, respondWithPage, setCookies, redirectToSignIn } from '#web/page-response.ts';
import type { SiteEnv } from '#web/page-response.ts';
import { RedirectPage, MessagePage } from '#web/layout.tsx';
import { ConfirmPage, parseDoneCode, parseConfirmQuestion } from '#web/parts/confirm.tsx';
import type { DoneMessageCode } from '#web/parts/confirm.tsx';
import { VisitorContext } from './console-page.tsx';
import type { ConsoleVisitor } from './console-page.tsx';

export type ConsoleDeps = { signIns: Pick<SignInCookies, 'read' | 'startForm' | 'isOurForm'> };

/**
 * Shows a page to the signed-in user. A visitor who is not signed in is sent to the sign-in page, and then back to the
 * page.
 */
export async function requireSignIn(
  c: Context,
  { signIns }: ConsoleDeps,
  show: (person: SignedIn) => Response | Promise<Response>,
): Promise<Response> {
  c.header('Cache-Control', 'no-store');
  const person = await signIns.read(c.req.raw);
  return person === null ? redirectToSignIn(c) : show(person);
}

/**
 * Processes a form of the signed-in user. The form's token must show that it comes from a page of this server in this
 * browser.
 */
export async function withVerifiedForm(
  c: Context,
  { signIns }: ConsoleDeps,
  run: (form: FormData, person: SignedIn) => Response | Promise<Response>,
): Promise<Response> {
  // Checks the sign-in first, so that strangers cannot make the server read large bodies.
  const person = await signIns.read(c.req.raw);
  if (person === null) return respondWithPage(c, <MessagePage {...EXPIRED} />, 403);
  const form = await formOf(c);
  if (form === null) return respondWithPage(c, <MessagePage {...NO_FORM} />, 400);
  const isOurs = await signIns.isOurForm(c.req.raw, formText(form, 'form'));
  if (!isOurs) return respondWithPage(c, <MessagePage {...EXPIRED} />, 403);
  const asks = parseConfirmQuestion(form);
  return asks === null
    ? run(form, person)
    : respondWithPage(c, <ConfirmPage asks={asks} to={pathOf(c)} form={form} />, 200);
}

/** Parses the body. @returns `null` for an incomplete or malformed form */
async function formOf(c: Context): Promise<FormData | null> {
  try {
    return await c.req.formData();
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

const EXPIRED = {
  title: 'This page has expired',
  text: 'This form was opened in another browser, or too long ago. Open its page again.',
  link: CONSOLE_LINK,
};
const NO_FORM = {
  title: 'That is not a form',
  text: 'The form arrived incomplete. Go back and send it again.',
  link: CONSOLE_LINK,
};

/**
 * Shows a page that redirects itself after a form, because CSP `form-action` would block some HTTP redirects.
 * @param done code of the confirmation that the next page shows
 */
export function continueAfterForm(c: Context, done: DoneMessageCode, to: string): Response | Promise<Response> {
  const next = `${to}${to.includes('?') ? '&' : '?'}done=${done}`;
  return respondWithPage(c, <RedirectPage to={next} label="Go on" title="Done" />, 200);
}

function pathOf(c: Context): string {
  const { pathname, search } = new URL(c.req.url);
  return pathname + search;
}

/**
 * Starts to read the content of a console page's frame, such as waiting models, while the caller reads the page's own
 * content.
 * @returns a function that shows the page
 */
export function startConsolePage(c: Context<SiteEnv>, deps: ConsoleDeps, person: SignedIn) {
  const visitor = consoleVisitor(c, deps, person);
  visitor.catch(() => undefined);
  return async (content: Child, status: ContentfulStatusCode = 200): Promise<Response> =>
    respondWithPage(c, <VisitorContext.Provider value={await visitor}>{content}</VisitorContext.Provider>, status);
}

export async function consoleVisitor(
  c: Context<SiteEnv>,
  { signIns }: ConsoleDeps,
  person: SignedIn,
): Promise<ConsoleVisitor> {
  const [{ token, setCookie }, waiting] = await Promise.all([
    signIns.startForm(c.req.raw),
    c.env.waitingFor(person.subject),
  ]);
  setCookies(c, [setCookie]);
  return {
    isOwner: person.owner,
    name: describeOwnAccount(person.account),
    form: token,
    done: c.req.method === 'GET' ? parseDoneCode(c.req.query('done')) : null,
    zone: person.zone,
    waiting,
  };
}

export function parseNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
