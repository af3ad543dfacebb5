import type { Child } from 'hono/jsx';
import { citationPath, lineRange, urlByScriptNote } from '#core/document/citation.ts';
import type { CitedSource } from '#core/document/citation.ts';
import type { Viewport } from '#core/document/document.ts';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { PATHS } from '#core/paths.ts';
import { toPlain } from '#core/text/plain.ts';
import { oneLine } from '#core/text/text.ts';
import { FOCUS_ON_LOAD, Layout } from '#web/layout.tsx';
import { Timestamp } from '#web/console/console-page.tsx';

type Props = {
  source: CitedSource;
  cited: Viewport | null;
  /** The lines that this page shows, from `start` on. */
  shown: { start: number; lines: readonly string[] };
  /** Result of the submitted form. */
  answer: Child;
  note: string | null;
  /** The public address of the quote, while it is shared. */
  shareLink: string | null;
  form: string;
};

/** `/c/<cursor>/L12-L15`: cited lines in the page they were read from, as it was read. */
export function Citation({ source, cited, shown, answer, note, shareLink, form }: Props) {
  const { title, url } = source;
  const name = oneLine(title ?? '', TITLE_CHARS_MAX) || hostOf(url);
  return (
    <Layout title={`${cited === null ? '' : `${lineRange(cited)} of `}${name} – Periscope`}>
      <h1>
        <bdi>{name}</bdi>
      </h1>
      <Facts source={source} cited={cited} note={note} shareLink={shareLink} />
      {cited === null ? null : (
        <form method="post" action={citationPath(source.cursor, cited)} class="actions">
          <input type="hidden" name="form" value={form} />
          {source.isLive ? null : (
            <button type="submit" name="do" value="check">
              Does the live page still say so?
            </button>
          )}
          {shareLink === null ? null : (
            <button type="submit" name="do" value="unshare">
              Stop sharing
            </button>
          )}
          {shareLink !== null || source.isLive || source.isPrivate ? null : (
            <button type="submit" name="do" value="share">
              Share these lines
            </button>
          )}
        </form>
      )}
      {cited === null || !source.isLive ? null : (
        <p class="facts">
          It was read in a browser session, where somebody may have been signed in. Whether the page still says so shows
          in the session alone: this server does not fetch it.
        </p>
      )}
      {answer}
      <Text source={source} cited={cited} shown={shown} hasFocus={answer === null} />
      <p class="facts">
        <a href={PATHS.citations}>All your citations</a>
      </p>
    </Layout>
  );
}

function Facts({ source, cited, note, shareLink }: Pick<Props, 'source' | 'cited' | 'note' | 'shareLink'>) {
  const { url, urlByScript, fetchedAt, documentId, lineCount, isLive, isPrivate } = source;
  return (
    <dl>
      <dt>Source</dt>
      <dd>
        <PageAddress url={url} />
        <ScriptedUrlNote urlByScript={urlByScript} />
      </dd>
      <dt>{isLive ? 'Read in a browser' : 'Fetched'}</dt>
      <dd>
        <Timestamp at={fetchedAt} precise />
      </dd>
      {cited === null ? null : (
        <>
          <dt>Cited</dt>
          <dd>
            <a href={`#L${cited.start}`}>{lineRangeText(cited)}</a> of {lineCount}
          </dd>
        </>
      )}
      <dt>SHA-256</dt>
      <dd>
        <code>{documentId}</code>
      </dd>
      {note === null ? null : (
        <>
          <dt>Note</dt>
          <dd>{toPlain(note)}</dd>
        </>
      )}
      {shareLink === null ? null : (
        <>
          <dt>Shared at</dt>
          <dd>
            <a href={shareLink}>{shareLink}</a>
          </dd>
        </>
      )}
      {isPrivate ? (
        <>
          <dt>Kept for</dt>
          <dd>you alone</dd>
        </>
      ) : null}
    </dl>
  );
}

export function RefusalNotice({ text }: { text: string }) {
  return (
    <p class="problem" role="alert" {...FOCUS_ON_LOAD}>
      {text}
    </p>
  );
}

/** A link to a web address; other addresses are shown as text. */
export function PageAddress({ url }: { url: string }) {
  const isWeb = /^https?:/u.test(url);
  return isWeb ? (
    <a href={url} rel="noreferrer nofollow">
      {url}
    </a>
  ) : (
    <bdi>{url}</bdi>
  );
}

/** Note next to an address that a script may have set. */
export function ScriptedUrlNote({ urlByScript }: Pick<CitedSource, 'urlByScript'>) {
  const note = urlByScriptNote(urlByScript);
  return note === null ? null : (
    <>
      <br />
      <small>{note}</small>
    </>
  );
}

function Text({ source, cited, shown, hasFocus }: Pick<Props, 'source' | 'cited' | 'shown'> & { hasFocus: boolean }) {
  const { cursor, lineCount, restStart } = source;
  const { start, lines } = shown;
  const end = start + lines.length - 1;
  const from = (at: number) => `${citationPath(cursor, cited)}?from=${Math.max(0, at)}`;
  return (
    <section aria-label={`Lines ${start} to ${end} of ${lineCount}, as they were read`}>
      {start === 0 ? null : (
        <p>
          <a href={from(start - lines.length)}>Lines before {start}</a>
        </p>
      )}
      {restStart !== null && restStart > end ? (
        <p class="facts">
          From <a href={from(restStart)}>line {restStart}</a> on: menus, related links, comments and notices of the
          page.
        </p>
      ) : null}
      <ol class="lines" start={start} lang="">
        {lines.map((line, index) => (
          <Line number={start + index} text={line} cited={cited} hasFocus={hasFocus} />
        ))}
      </ol>
      {end + 1 === lineCount ? null : (
        <p>
          <a href={from(end + 1)}>Lines from {end + 1} on</a>
        </p>
      )}
    </section>
  );
}

type LineProps = { number: number; text: string; cited: Viewport | null; hasFocus: boolean };

/** The first of the cited lines has the focus, which brings it into view and lets a keyboard go on from there. */
function Line({ number, text, cited, hasFocus }: LineProps) {
  const isCited = cited !== null && number >= cited.start && number <= cited.end;
  if (!isCited) return <li id={`L${number}`}>{text}</li>;
  const first = hasFocus && number === cited.start ? FOCUS_ON_LOAD : {};
  return (
    <li id={`L${number}`} {...first}>
      <mark>{text}</mark>
    </li>
  );
}

/** `line 12`, `lines 12–15`. */
export function lineRangeText({ start, end }: Viewport): string {
  return start === end ? `line ${start}` : `lines ${start}–${end}`;
}

function hostOf(url: string): string {
  return URL.parse(url)?.host || url;
}
