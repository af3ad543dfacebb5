import { citationPath } from '#core/citation.ts';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { PATHS } from '#core/paths.ts';
import { oneLine } from '#core/text.ts';
import { ConsolePage } from './console-page.tsx';
import type { Visitor } from './console-page.tsx';
import { Moment } from './moment.tsx';
import { Address, inWords } from './citation.tsx';

type Kept = {
  id: string;
  cursor: string;
  url: string;
  title: string | null;
  firstLine: number;
  lastLine: number;
  quote: string;
  note: string | null;
  createdAt: number;
  shareId: string | null;
};

type Props = {
  citations: readonly Kept[];
  usage: { citations: number; shared: number };
  sharedMax: number;
  /** Where the next ones are, if there are more. */
  next: string | null;
  /** What became of the form that was sent. */
  problem: string | null;
  visitor: Visitor;
};

const QUOTE_SHOWN_CHARS = 300;

/** `/console/citations`: what a person's models have cited. */
export function Citations({ citations, usage, sharedMax, next, problem, visitor }: Props) {
  return (
    <ConsolePage visitor={visitor} title="Citations" at={PATHS.citations}>
      <p class="lead">
        Quotes that your models have checked word for word. Their pages are kept until you delete them.
      </p>
      {problem === null ? null : (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {usage.citations === 0 ? (
        <p>
          There are none yet. Ask a model to cite what it says: it calls <code>cite</code>, and the quote appears here.
        </p>
      ) : (
        <p class="facts">
          {usage.citations} kept, {usage.shared} of at most {sharedMax} shared.
        </p>
      )}
      <ul class="cards">
        {citations.map((one) => (
          <Card citation={one} form={visitor.form} />
        ))}
      </ul>
      {next === null ? null : (
        <p>
          <a href={next}>Older ones</a>
        </p>
      )}
    </ConsolePage>
  );
}

function Card({ citation, form }: { citation: Kept; form: string }) {
  const { id, cursor, url, title, firstLine, lastLine, quote, note, createdAt, shareId } = citation;
  const lines = { start: firstLine, end: lastLine };
  const name = oneLine(title ?? '', TITLE_CHARS_MAX) || url;
  const about = `${inWords(lines)} of ${name}`;
  return (
    <li>
      <div>
        <blockquote lang="">{oneLine(quote, QUOTE_SHOWN_CHARS)}</blockquote>
        {note === null ? null : <p>{oneLine(note, QUOTE_SHOWN_CHARS * 2)}</p>}
        <p class="facts">
          <a href={citationPath(cursor, lines)}>{about}</a>, <Moment at={createdAt} precise />
        </p>
        <p class="facts">
          <Address url={url} />
        </p>
        {shareId === null ? null : (
          <p class="facts">
            Shared: <a href={`${PATHS.quote}/${shareId}`}>{`${PATHS.quote}/${shareId}`}</a>
          </p>
        )}
      </div>
      <form method="post" action={PATHS.citations} class="actions">
        <input type="hidden" name="form" value={form} />
        <input type="hidden" name="id" value={id} />
        {shareId === null ? (
          <button type="submit" name="do" value="share" aria-label={`Share ${about}`}>
            Share
          </button>
        ) : (
          <button type="submit" name="do" value="unshare" aria-label={`Stop sharing ${about}`}>
            Stop sharing
          </button>
        )}
        <button type="submit" name="do" value="delete" aria-label={`Delete ${about}`}>
          Delete
        </button>
      </form>
    </li>
  );
}
