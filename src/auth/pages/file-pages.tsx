import { Hono } from 'hono';
import type { Context } from 'hono';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import { isFileId } from '#core/file-facts.ts';
import { asAttachment } from '#core/file-name.ts';
import { UPLOAD_BYTES_MAX } from '#core/limits.ts';
import { PATHS } from '#core/paths.ts';
import { Continue } from '#pages/continue.tsx';
import { Files } from '#pages/files.tsx';
import { keepUpload } from '#reading/keep-upload.ts';
import { whyNotKept } from '#storage/keep-file.ts';
import { KeptFiles } from '#storage/kept-files.ts';
import type { FileLimits } from '#storage/person-files.ts';
import { visitorOf, withForm } from './own-form.tsx';
import { fieldOf, page, signInFirst } from './page-answers.ts';
import type { PageDeps } from './page-deps.ts';

/** `/console/files`: a person's files, a form to give another, and each of them to save or delete. */
export function filePages(deps: PageDeps) {
  const app = new Hono();
  app.get(PATHS.files, async (c) => {
    const person = await deps.signIns.read(c.req.raw);
    return person === null ? signInFirst(c) : showFiles(c, deps, person, null);
  });
  app.get(PATHS.downloadFile, async (c) => {
    const person = await deps.signIns.read(c.req.raw);
    return person === null ? signInFirst(c) : download(c, deps, person);
  });
  app.post(PATHS.files, (c) => withForm(c, deps, (form, person) => upload(c, deps, form, person)));
  app.post(PATHS.deleteFile, (c) => withForm(c, deps, (form, person) => remove(c, deps, form, person)));
  return app;
}

type Problem = { text: string; status: 400 | 404 | 409 };

async function showFiles(c: Context, deps: PageDeps, person: SignedIn, problem: Problem | null): Promise<Response> {
  const files = await deps.filesOf(person.subject).list();
  const visitor = await visitorOf(c, deps, person);
  const { each, together } = limitsOf(deps);
  const view = { files, visitor, problem: problem?.text ?? null, bytesMax: each, together };
  return page(c, <Files {...view} />, problem?.status ?? 200);
}

function limitsOf({ config }: PageDeps): FileLimits {
  return { each: Math.min(config.FILE_BYTES_MAX, UPLOAD_BYTES_MAX), together: config.FILES_BYTES_MAX };
}

async function upload(c: Context, deps: PageDeps, form: FormData, person: SignedIn): Promise<Response> {
  const file = form.get('file');
  // A form without a chosen file sends one without name and bytes.
  if (file === null || typeof file === 'string' || (file.name === '' && file.size === 0)) {
    return showFiles(c, deps, person, { text: 'Choose a file first.', status: 400 });
  }
  const limits = limitsOf(deps);
  const keeping = { limits, signal: c.req.raw.signal, report: deps.report };
  const kept = await keepUpload(deps.filesOf(person.subject), file, keeping);
  if (typeof kept !== 'string') return page(c, <Continue to={PATHS.files} label="Files" title="Uploaded" />, 200);
  const advice = kept === 'together' || kept === 'count' ? ' Delete some first.' : '';
  return showFiles(c, deps, person, { text: `It is not kept: ${whyNotKept(kept, limits)}.${advice}`, status: 409 });
}

async function remove(c: Context, deps: PageDeps, form: FormData, person: SignedIn): Promise<Response> {
  const isGone = await deps.filesOf(person.subject).remove(fieldOf(form, 'id'));
  if (!isGone) return showFiles(c, deps, person, GONE);
  return page(c, <Continue to={PATHS.files} label="Files" title="Deleted" />, 200);
}

/** Browsers save it, whatever it holds: nothing of a file is ever shown as a page of this server. */
async function download(c: Context, deps: PageDeps, person: SignedIn): Promise<Response> {
  const files = new KeptFiles(deps.filesOf(person.subject));
  const id = c.req.query('id') ?? '';
  const facts = isFileId(id) ? await files.facts(id) : null;
  if (facts === null) return showFiles(c, deps, person, GONE);
  c.header('Cache-Control', 'no-store');
  c.header('Content-Type', 'application/octet-stream');
  c.header('Content-Disposition', asAttachment(facts.name));
  return c.body(files.stream(facts).pipeThrough(new FixedLengthStream(facts.bytes)));
}

const GONE: Problem = { text: 'That file no longer exists.', status: 404 };
