import type { Context } from 'hono';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import type { Visitor } from '#web/console/console-page.tsx';
import { Message } from '#web/layout.tsx';
import { fieldOf, page, setCookies } from './page-answers.ts';
import type { PageDeps } from './page-deps.ts';
import { expired } from './sign-in-pages.tsx';

/** Runs what a form asks for that was sent from a page of ours, in the browser that it was shown in, by who is signed in there. */
export async function withForm(
  c: Context,
  deps: PageDeps,
  run: (form: FormData, person: SignedIn) => Response | Promise<Response>,
): Promise<Response> {
  // Who is not signed in has nothing read of what may be large.
  const person = await deps.signIns.read(c.req.raw);
  if (person === null) return expired(c);
  const form = await formOf(c);
  if (form === null) return page(c, <Message title="That is not a form" text={BROKEN} />, 400);
  return (await deps.signIns.isOurForm(c.req.raw, fieldOf(form, 'form'))) ? run(form, person) : expired(c);
}

/** What the frame of the console shows, with a token for the forms of one page. */
export async function visitorOf(c: Context, { signIns }: PageDeps, { owner }: SignedIn): Promise<Visitor> {
  const { token, setCookie } = await signIns.startForm(c.req.raw);
  setCookies(c, [setCookie]);
  return { isOwner: owner, form: token };
}

const BROKEN = 'What arrived is not a whole form. Go back and send it again.';

/** `null`: a form with files that broke off, or was put together wrongly. */
async function formOf(c: Context): Promise<FormData | null> {
  try {
    return await c.req.formData();
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
