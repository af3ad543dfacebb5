import { Hono } from 'hono';
import type { Context } from 'hono';
import { PATHS } from '#core/paths.ts';
import { Citations } from '#pages/citations.tsx';
import { sourceOf } from '#reading/citation-page.ts';
import { shareCitation } from '#reading/cite.ts';
import { CITATIONS_PER_PAGE, SHARED_PER_SUBJECT_MAX } from '#reading/limits.ts';
import type { CitationPagesDeps, PersonsCalls } from './citation-pages.tsx';
import { asPerson, visitorOf, withOwnForm } from './console.tsx';
import type { SignedIn } from './console.tsx';
import type { Site } from './site.ts';
import { page } from './page.tsx';
import { refusalOf } from './refusal.ts';

/** `/console/citations`: what a person has cited, to open, share and delete. */
export function citationsList(deps: CitationPagesDeps): Hono<Site> {
  const app = new Hono<Site>();
  app.get(PATHS.citations, (c) =>
    asPerson(c, deps, (person) => show(c, deps, person, deps.callsOf(person.subject, c.env.ctx), null)),
  );
  app.post(PATHS.citations, (c) =>
    withOwnForm(c, deps, async (field, person) => {
      const calls = deps.callsOf(person.subject, c.env.ctx);
      return show(c, deps, person, calls, await change(field('id'), field('do'), calls));
    }),
  );
  return app;
}

/** Does what the form asks for. @returns why it could not be done, or `null` */
async function change(id: string, deed: string, { services }: PersonsCalls): Promise<string | null> {
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
  deps: CitationPagesDeps,
  person: SignedIn,
  { services }: PersonsCalls,
  problem: string | null,
): Promise<Response> {
  const { citations, subject } = services;
  const behind = await citations.find(subject, c.req.query('after') ?? '');
  const [listed, usage, visitor] = await Promise.all([
    citations.list(subject, behind, CITATIONS_PER_PAGE + 1),
    citations.usage(subject),
    visitorOf(c, deps, person),
  ]);
  const shown = listed.slice(0, CITATIONS_PER_PAGE);
  const last = listed.length > shown.length ? shown.at(-1) : undefined;
  return page(
    c,
    <Citations
      citations={shown}
      usage={usage}
      sharedMax={SHARED_PER_SUBJECT_MAX}
      next={last === undefined ? null : `${PATHS.citations}?after=${last.id}`}
      problem={problem}
      visitor={visitor}
    />,
    problem === null ? 200 : 409,
  );
}
