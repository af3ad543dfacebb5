import type { Context } from 'hono';
import { signInPath } from '#core/paths.ts';
import type { Visitor } from './console-page.tsx';
import { Continue, Message } from '#web/layout.tsx';
import type { PageForms, Site } from '#web/answers.ts';
import { page } from '#web/answers.ts';

export type SignedIn = { subject: string; owner: boolean };

export type ConsoleDeps = {
  signedIn: (request: Request) => Promise<SignedIn | null>;
  forms: PageForms;
};

/** Shows a page to the person who is signed in; others sign in first and come back. */
export async function requireSignIn(
  c: Context<Site>,
  { signedIn }: ConsoleDeps,
  show: (person: SignedIn) => Response | Promise<Response>,
): Promise<Response> {
  c.header('Cache-Control', 'no-store');
  const person = await signedIn(c.req.raw);
  const { pathname, search } = new URL(c.req.url);
  return person === null ? c.redirect(signInPath(pathname + search)) : show(person);
}

/** Runs a form after checking that a page of ours, shown in this browser, sent it. */
export async function withVerifiedForm(
  c: Context<Site>,
  { signedIn, forms }: ConsoleDeps,
  run: (field: (name: string) => string, person: SignedIn) => Promise<Response>,
): Promise<Response> {
  c.header('Cache-Control', 'no-store');
  const person = await signedIn(c.req.raw);
  const fields = await c.req.formData();
  const field = (name: string) => {
    const value = fields.get(name);
    return typeof value === 'string' ? value : '';
  };
  if (person === null || !(await forms.isOurs(c.req.raw, field('form')))) {
    const { pathname, search } = new URL(c.req.url);
    return page(c, <Message {...EXPIRED} link={{ to: pathname + search, label: 'Open the page again' }} />, 403);
  }
  return run(field, person);
}

/** After a form, a page that goes on by itself: `form-action` would apply to a redirect. */
export function continueTo(c: Context<Site>, title: string, to: string): Response | Promise<Response> {
  return page(c, <Continue to={to} label="Go on" title={title} />, 200);
}

/** The visitor, with a new token for the forms of one page. */
export async function consoleVisitor(c: Context<Site>, { forms }: ConsoleDeps, person: SignedIn): Promise<Visitor> {
  const { token, setCookie } = await forms.start(c.req.raw);
  c.header('Set-Cookie', setCookie, { append: true });
  return { isOwner: person.owner, form: token };
}

/** A non-negative integer; `null` for anything else. */
export function parseNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

const EXPIRED = {
  title: 'The page had expired',
  text: 'This form was opened in another browser, or too long ago.',
};
