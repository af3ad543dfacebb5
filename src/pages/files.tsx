import { fileAddress } from '#core/file-facts.ts';
import type { FileFacts } from '#core/file-facts.ts';
import { PATHS } from '#core/paths.ts';
import { ConsolePage } from './console-page.tsx';
import type { Visitor } from './console-page.tsx';
import { Moment } from './moment.tsx';

type Props = {
  /** The newest first. */
  files: readonly FileFacts[];
  /** Of one that is uploaded, and of all of them together. */
  bytesMax: number;
  together: number;
  /** What was wrong with the form that was sent. */
  problem: string | null;
  visitor: Visitor;
};

/** `/console/files`: a person's files, and a form for another. */
export function Files({ files, bytesMax, together, problem, visitor }: Props) {
  const used = files.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <ConsolePage visitor={visitor} title="Files" at={PATHS.files}>
      <p class="lead">What your browser sessions downloaded, and what you uploaded.</p>
      <p>
        Models that you connected can read these files and put them into pages. A file goes with the session that
        downloaded it, and after 30 days. {size(used)} of {size(together)} are in use.
      </p>
      <h2>Yours</h2>
      {files.length === 0 ? (
        <p>You have none. Upload one below, or let a model download one in its browser: it appears here.</p>
      ) : null}
      {files.length === 0 ? null : (
        <ul class="cards">
          {files.map((file) => (
            <Card file={file} form={visitor.form} />
          ))}
        </ul>
      )}
      <h2>Upload one</h2>
      {problem === null ? null : (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <form method="post" action={PATHS.files} enctype="multipart/form-data">
        <input type="hidden" name="form" value={visitor.form} />
        <label for="file">File, {size(bytesMax)} at most</label>
        <input id="file" name="file" type="file" required />
        <div class="actions">
          <button type="submit" class="primary">
            Upload
          </button>
        </div>
      </form>
    </ConsolePage>
  );
}

function Card({ file, form }: { file: FileFacts; form: string }) {
  const { id, name, mediaType, bytes, sha256, takenAt } = file;
  return (
    <li>
      <div>
        <a href={`${PATHS.downloadFile}?id=${id}`}>
          <bdi>{name}</bdi>
        </a>
        <p class="facts">
          {mediaType}, {size(bytes)}, <Moment at={takenAt} precise />
        </p>
        <p class="facts">
          For models: <code>{fileAddress(id)}</code>
        </p>
        <p class="facts">
          SHA-256 <code>{sha256}</code>
        </p>
      </div>
      <form method="post" action={PATHS.deleteFile}>
        <input type="hidden" name="form" value={form} />
        <input type="hidden" name="id" value={id} />
        <button type="submit" aria-label={`Delete ${name}`}>
          Delete
        </button>
      </form>
    </li>
  );
}

function size(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${Math.round(bytes / 100_000) / 10} MB`;
}
