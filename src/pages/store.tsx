import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { PATHS } from '#core/paths.ts';
import { oneLine } from '#core/text.ts';
import { Address } from './citation.tsx';
import { ConsolePage, Deed, Problem } from './console-page.tsx';
import type { Visitor } from './console-page.tsx';
import { Moment } from './moment.tsx';

/** A stored page, with where the words stand that were looked for. */
export type StoredRow = {
  key: string;
  documentId: string;
  /** Without what looks like a credential. */
  url: string;
  title: string | null;
  snippet: string | null;
  line: number | null;
  fetchedAt: number;
  bytes: number;
  isPrivate: boolean;
  isLive: boolean;
};

type Props = {
  visitor: Visitor;
  /** What is looked for; empty for what was opened lately. */
  query: string;
  rows: readonly StoredRow[];
  /** Where more are, if there are. */
  next: string | null;
  /** What became of the form that was sent. */
  said: string | null;
  problem: string | null;
};

/** `/console/store`: the pages that are stored here, as far as this person may see them. */
export function Store({ visitor, query, rows, next, said, problem }: Props) {
  return (
    <ConsolePage visitor={visitor} title="Store" at={PATHS.store}>
      <p class="lead">
        Pages that were read through this server: those for everyone, and those that are stored for you alone.
      </p>
      <form method="get" action={PATHS.store} class="filter" role="search">
        <div>
          <label for="q">Words to look for</label>
          <input id="q" name="q" type="search" value={query} />
        </div>
        <button type="submit" class="primary">
          Search
        </button>
      </form>
      <Problem text={problem} />
      {said === null ? null : <p role="status">{said}</p>}
      <h2>{query === '' ? 'What you opened lately' : 'Found'}</h2>
      {rows.length === 0 ? <Nothing query={query} /> : null}
      <ul class="cards">
        {rows.map((row) => (
          <Card row={row} visitor={visitor} />
        ))}
      </ul>
      {next === null ? null : (
        <p>
          <a href={next}>More</a>
        </p>
      )}
    </ConsolePage>
  );
}

function Nothing({ query }: { query: string }) {
  if (query !== '') {
    return (
      <p>
        No stored page has these words. <a href={PATHS.store}>What you opened lately</a>
      </p>
    );
  }
  return (
    <p>
      There is nothing yet. <a href="/#connect">Connect a client</a> and ask its model to read a page: it is stored, and
      you can open it here as it was read.
    </p>
  );
}

function Card({ row, visitor }: { row: StoredRow; visitor: Visitor }) {
  const { key, documentId, url, snippet, line, fetchedAt, bytes, isPrivate, isLive } = row;
  const title = oneLine(row.title ?? '', TITLE_CHARS_MAX) || url;
  const place = new URLSearchParams({ document: documentId, ...(line === null ? {} : { line: String(line) }) });
  return (
    <li>
      <div>
        <a href={`${PATHS.openStored}?${place.toString()}`}>
          <bdi>{title}</bdi>
        </a>{' '}
        {isPrivate ? <span class="state">{isLive ? 'yours alone, from a browser' : 'yours alone'}</span> : null}
        {snippet === null ? null : <p lang="">{snippet}</p>}
        <p class="facts">
          <Address url={url} />
        </p>
        <p class="facts">
          fetched <Moment at={fetchedAt} precise />, {Math.ceil(bytes / 1_000)} kB of text
        </p>
      </div>
      {visitor.isOwner || isPrivate ? (
        <Deed
          to={PATHS.store}
          form={visitor.form}
          fields={{ do: 'delete', snapshot: key }}
          label="Delete"
          about={title}
        />
      ) : null}
    </li>
  );
}
