import { Hono } from 'hono';
import type { Context } from 'hono';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import { contentDisposition, fileAddress, isFileId } from '#core/document/file-facts.ts';
import { UPLOAD_BYTES_MAX } from '#core/limits.ts';
import { PATHS } from '#core/paths.ts';
import { storeUpload } from '#reading/store-upload.ts';
import { StoredFiles, describeFileNotStored } from '#storage/person/stored-files.ts';
import type { FileByteLimits } from '#storage/person/person-files.ts';
import { startConsolePage, continueAfterForm, requireSignIn, withVerifiedForm } from './console.tsx';
import { formText } from '#web/page-response.ts';
import type { SiteEnv } from '#web/page-response.ts';
import type { PageDeps } from '#web/sign-in/page-deps.ts';
import type { FileFacts } from '#core/document/file-facts.ts';
import { FormField, Form } from '#web/parts/form.tsx';
import type { FormInputProblem } from '#web/parts/form.tsx';
import { ItemList } from '#web/parts/list.tsx';
import type { ListEntry } from '#web/parts/list.tsx';
import { Timestamp } from '#web/parts/timestamp.tsx';
import { ConsolePage } from './console-page.tsx';

/** `/console/files`: a user's files, with a form to upload one and buttons to save or delete each. */
export function filePages(deps: PageDeps): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>();
  app.get(PATHS.files, (c) => requireSignIn(c, deps, (person) => showFiles(c, deps, person, null)));
  app.get(PATHS.downloadFile, (c) => requireSignIn(c, deps, (person) => download(c, deps, person)));
  app.post(PATHS.files, (c) => withVerifiedForm(c, deps, (form, person) => upload(c, deps, form, person)));
  app.post(PATHS.deleteFile, (c) => withVerifiedForm(c, deps, (form, person) => remove(c, deps, form, person)));
  return app;
}

type FileProblem = FormInputProblem & { status: 400 | 404 | 409 };

async function showFiles(c: Context, deps: PageDeps, person: SignedIn, problem: FileProblem | null): Promise<Response> {
  const files = await deps.filesOf(person.subject).list();
  const respond = startConsolePage(c, deps, person);
  const { each, together } = limitsOf(deps);
  const view = { files, problem, bytesMax: each, together };
  return respond(<Files {...view} />, problem?.status ?? 200);
}

function limitsOf({ config }: PageDeps): FileByteLimits {
  return { each: Math.min(config.FILE_BYTES_MAX, UPLOAD_BYTES_MAX), together: config.FILES_BYTES_MAX };
}

async function upload(c: Context, deps: PageDeps, form: FormData, person: SignedIn): Promise<Response> {
  const file = form.get('file');
  // If no file was chosen, a browser sends an empty part without a name.
  if (file === null || typeof file === 'string' || (file.name === '' && file.size === 0)) {
    return showFiles(c, deps, person, { field: 'file', text: 'Choose a file first.', status: 400 });
  }
  const limits = limitsOf(deps);
  const keeping = { limits, signal: c.req.raw.signal, report: deps.report };
  const stored = await storeUpload(deps.filesOf(person.subject), file, keeping);
  if (typeof stored !== 'string') return continueAfterForm(c, 'uploaded', PATHS.files);
  const advice = stored === 'together' || stored === 'count' ? ' Delete some first.' : '';
  return showFiles(c, deps, person, {
    field: 'file',
    text: `It was not stored: ${describeFileNotStored(stored, limits)}.${advice}`,
    status: 409,
  });
}

async function remove(c: Context, deps: PageDeps, form: FormData, person: SignedIn): Promise<Response> {
  const isGone = await deps.filesOf(person.subject).remove(formText(form, 'id'));
  if (!isGone) return showFiles(c, deps, person, NOT_FOUND);
  return continueAfterForm(c, 'deleted', PATHS.files);
}

/** Sends a file as a download, because this server must never show a file as one of its pages. */
async function download(c: Context, deps: PageDeps, person: SignedIn): Promise<Response> {
  const files = new StoredFiles(deps.filesOf(person.subject));
  const id = c.req.query('id') ?? '';
  const facts = isFileId(id) ? await files.facts(id) : null;
  if (facts === null) return showFiles(c, deps, person, NOT_FOUND);
  c.header('Content-Type', 'application/octet-stream');
  c.header('Content-Disposition', contentDisposition(facts.name));
  return c.body(files.stream(facts).pipeThrough(new FixedLengthStream(facts.bytes)));
}

const NOT_FOUND: FileProblem = { text: 'That file no longer exists.', status: 404 };

type Props = {
  files: readonly FileFacts[];
  bytesMax: number;
  together: number;
  problem: FormInputProblem | null;
};

function Files({ files, bytesMax, together, problem }: Props) {
  const used = files.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <ConsolePage
      title="Files"
      at={PATHS.files}
      lead="Files that your browser sessions downloaded or that you uploaded."
    >
      <p>
        Models that you connected can read these files and upload them to pages. A file is deleted after 30 days, or
        earlier with the session that downloaded it. {size(used)} of {size(together)} are in use.
      </p>
      <h2>Yours</h2>
      <ItemList
        to={PATHS.deleteFile}
        items={files.map(fileItem)}
        none="No files yet. Upload one below, or let a model download one in its browser."
      />
      <h2>Upload a file</h2>
      <Form to={PATHS.files} submit="Upload" problem={problem} hasFiles>
        <FormField name="file" label={`File, ${size(bytesMax)} at most`} type="file" required />
      </Form>
    </ConsolePage>
  );
}

function fileItem({ id, name, mediaType, bytes, sha256, takenAt }: FileFacts): ListEntry {
  return {
    about: name,
    name: (
      <a href={`${PATHS.downloadFile}?id=${id}`}>
        <bdi>{name}</bdi>
      </a>
    ),
    icon: 'file',
    facts: [mediaType, size(bytes)],
    aside: <Timestamp at={takenAt} precise />,
    details: [
      <>
        For models: <code>{fileAddress(id)}</code>
      </>,
      <>
        SHA-256 <code>{sha256}</code>
      </>,
    ],
    actions: [{ label: 'Delete', sends: { id }, asks: 'file' }],
  };
}

function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${Math.round(bytes / 100_000) / 10} MB`;
}
