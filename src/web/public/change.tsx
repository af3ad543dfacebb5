import type { Child } from 'hono/jsx';
import { citationPath, cursorPath } from '#core/document/citation.ts';
import { toPlain } from '#core/text/plain.ts';
import { oneLine } from '#core/text/text.ts';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import type { CitableLines, TellableBlock, TellableChange } from '#library/changes.ts';
import { Layout } from '#web/layout.tsx';
import { Timestamp } from '#web/console/console-page.tsx';
import { lineRangeText, PageAddress } from './citation.tsx';

/** What changed in a page: each block as it was beside what it is now, with links to the lines in both documents. */
export function ChangedPage({ change }: { change: TellableChange }) {
  const { url, title, library, at, before, after, blocks, left } = change;
  const name = oneLine(title ?? '', TITLE_CHARS_MAX) || url;
  return (
    <Layout title={`What changed in ${name} – Periscope`} width="wide" isHidden>
      <h1>
        What changed in <bdi>{name}</bdi>
      </h1>
      <p class="lead">{toldOf(change)}</p>
      <dl>
        <dt>Page</dt>
        <dd>
          <PageAddress url={toPlain(url)} />
        </dd>
        {library === null || library === url ? null : (
          <>
            <dt>Followed</dt>
            <dd>
              <PageAddress url={toPlain(library)} />
            </dd>
          </>
        )}
        <dt>Found</dt>
        <dd>
          <Timestamp at={at} precise />
        </dd>
        {before === null && after === null ? null : (
          <>
            <dt>Whole page</dt>
            <dd>
              {before === null ? null : <a href={cursorPath(before)}>as it was</a>}
              {before === null || after === null ? null : ' · '}
              {after === null ? null : <a href={cursorPath(after)}>as it is</a>}
            </dd>
          </>
        )}
      </dl>
      {blocks.map((block) => (
        <ChangedBlock block={block} />
      ))}
      {left === 0 ? null : (
        <p class="warning">
          {left === 1 ? 'One more block differs and is' : `${left} more blocks differ and are`} not shown here: the
          whole page has them.
        </p>
      )}
      <p class="note">
        Dates of the build, counters, years of a copyright, the order of links, menus and what differs with every fetch
        are not told of.
      </p>
    </Layout>
  );
}

function toldOf({ kind, movedTo, problem }: TellableChange): Child {
  if (kind === 'new') return 'This page is new.';
  if (kind === 'gone') return 'The site says that it has no such page any more. What it said last is kept.';
  if (kind === 'closed') return `It is not read any more${problem === null ? '.' : `: ${problem}`}`;
  if (kind !== 'moved' || movedTo === null) return 'The page says something else than it did.';
  return (
    <>
      The page moved to <PageAddress url={toPlain(movedTo)} />
    </>
  );
}

const KINDS: Record<TellableBlock['kind'], string> = {
  changed: 'Changed',
  added: 'New',
  removed: 'Gone',
  moved: 'Stands elsewhere',
};

function ChangedBlock({ block }: { block: TellableBlock }) {
  const { kind, section, before, after } = block;
  const heading = oneLine(section ?? '', TITLE_CHARS_MAX);
  return (
    <section>
      <h2>
        {KINDS[kind]}
        {heading === '' ? null : (
          <>
            {' in “'}
            <bdi>{heading}</bdi>”
          </>
        )}
      </h2>
      <div class="sides">
        <Side name="Before" lines={before} none="It was not there.">
          <Words block={block} left="gone" />
        </Side>
        <Side name="Now" lines={after} none="It is not there.">
          <Words block={block} left="new" />
        </Side>
      </div>
    </section>
  );
}

function Side(props: { name: string; lines: CitableLines | null; none: string; children: Child }) {
  const { name, lines, none, children } = props;
  return (
    <div>
      <h3>
        {name}
        {lines === null ? null : (
          <>
            , <a href={citationPath(lines.cursor, lines.lines)}>{lineRangeText(lines.lines)}</a>
          </>
        )}
      </h3>
      {lines === null ? <p class="facts">{none}</p> : children}
    </div>
  );
}

/** The words of one side: those that stayed, and those that only this side has. Without words, the lines as they are. */
function Words({ block: { words, before, after }, left }: { block: TellableBlock; left: 'gone' | 'new' }) {
  const lines = left === 'gone' ? before : after;
  if (words.length === 0) return <p class="diff">{(lines?.text ?? []).map(toPlain).join('\n')}</p>;
  return (
    <p class="diff" lang="">
      {words.map(({ kind, text }) => {
        if (kind === 'same') return toPlain(text);
        if (kind !== left) return null;
        return kind === 'gone' ? <del>{toPlain(text)}</del> : <ins>{toPlain(text)}</ins>;
      })}
    </p>
  );
}
