import { Hono } from 'hono';
import type { Context } from 'hono';
import { PATHS, signInPath } from '#core/paths.ts';
import { Citations } from '#pages/citations.tsx';
import { Message } from '#pages/message.tsx';
import { sourceOf } from '#reading/citation-page.ts';
import { shareCitation } from '#reading/cite.ts';
import { CITATIONS_PER_PAGE, SHARED_PER_SUBJECT_MAX } from '#reading/limits.ts';
import type { CitationPagesDeps, PersonsCalls } from './citation-pages.tsx';
import type { Site } from './health.tsx';
import { page } from './page.tsx';
import { refusalOf } from './refusal.ts';

/** `/console/citations`: what a person has cited, to open, share and delete. */
export function citationsList(deps: CitationPagesDeps): Hono<Site> {
  const app = new Hono<Site>();
  app.get(PATHS.citations, async (c) => {
    const person = await deps.signedIn(c.req.raw);
    if (person === null) return c.redirect(signInPath(PATHS.citations));
    return show(c, deps, deps.callsOf(person.subject, c.env.ctx), null);
  });
  app.post(PATHS.citations, async (c) => {
    const fields = await c.req.formData();
    const [form, id, deed] = ['form', 'id', 'do'].map((name) => fields.get(name));
    const person = await deps.signedIn(c.req.raw);
    const isOurs = typeof form === 'string' && (await deps.forms.isOurs(c.req.raw, form));
    if (person === null || !isOurs) return page(c, <Message {...EXPIRED} />, 403);
    const calls = deps.callsOf(person.subject, c.env.ctx);
    return show(c, deps, calls, typeof id === 'string' ? await change(id, deed, calls) : null);
  });
  return app;
}

/** Does what the form asks for. @returns why it could not be done, or `null` */
async function change(id: string, deed: unknown, { services }: PersonsCalls): Promise<string | null> {
  const { citations, subject } = services;
  const kept = await citations.find(subject, id);
  if (kept === null) return 'That citation no longer exists.';
  if (deed === 'delete') await citations.remove(subject, id);
  if (deed === 'unshare') await citations.unshare(subject, id);
  if (deed !== 'share') return null;
  const source = await sourceOf(kept, services);
  if (source === 'purged') return 'The page of this citation is not stored any more.';
  return refusalOf(async () => {
    await shareCitation(source, kept, services);
    return null;
  });
}

async function show(
  c: Context<Site>,
  { forms }: CitationPagesDeps,
  { services }: PersonsCalls,
  problem: string | null,
): Promise<Response> {
  const { citations, subject } = services;
  const behind = await citations.find(subject, c.req.query('after') ?? '');
  const [listed, usage, { token, setCookie }] = await Promise.all([
    citations.list(subject, behind, CITATIONS_PER_PAGE + 1),
    citations.usage(subject),
    forms.start(c.req.raw),
  ]);
  const shown = listed.slice(0, CITATIONS_PER_PAGE);
  const last = listed.length > shown.length ? shown.at(-1) : undefined;
  c.header('Set-Cookie', setCookie, { append: true });
  return page(
    c,
    <Citations
      citations={shown}
      usage={usage}
      sharedMax={SHARED_PER_SUBJECT_MAX}
      next={last === undefined ? null : `${PATHS.citations}?after=${last.id}`}
      problem={problem}
      form={token}
    />,
    problem === null ? 200 : 409,
  );
}

const EXPIRED = {
  title: 'The page had expired',
  text: 'This form was opened in another browser, or too long ago. Open your citations again.',
  link: { to: PATHS.citations, label: 'Citations' },
};
