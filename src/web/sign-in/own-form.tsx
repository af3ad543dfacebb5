import type { Context } from 'hono';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import type { Visitor } from '#web/console/console-page.tsx';
import { Message } from '#web/layout.tsx';
import { fieldOf, page, setCookies } from '#web/answers.ts';
import type { PageDeps } from './page-deps.ts';
import { expired } from './sign-in-pages.tsx';

/** Runs a form for the signed-in person, after checking that a page of ours, shown in this browser, sent it. */
export async function withVerifiedForm(
  c: Context,
  deps: PageDeps,
  run: (form: FormData, person: SignedIn) => Response | Promise<Response>,
): Promise<Response> {
  // Large bodies are read only for signed-in people.
  const person = await deps.signIns.read(c.req.raw);
  if (person === null) return expired(c);
  const form = await formOf(c);
  if (form === null) return page(c, <Message title="That is not a form" text={BROKEN} />, 400);
  return (await deps.signIns.isOurForm(c.req.raw, fieldOf(form, 'form'))) ? run(form, person) : expired(c);
}

/** The visitor, with a new token for the forms of one page. */
export async function consoleVisitor(c: Context, { signIns }: PageDeps, { owner }: SignedIn): Promise<Visitor> {
  const { token, setCookie } = await signIns.startForm(c.req.raw);
  setCookies(c, [setCookie]);
  return { isOwner: owner, form: token };
}

const BROKEN = 'What arrived is not a whole form. Go back and send it again.';

/** `null` for a form that is incomplete or malformed. */
async function formOf(c: Context): Promise<FormData | null> {
  try {
    return await c.req.formData();
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
