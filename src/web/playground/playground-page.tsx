import { FOCUS_ON_LOAD } from '#web/layout.tsx';
import { citationPath } from '#core/document/citation.ts';
import type { CitedSource } from '#core/document/citation.ts';
import type { Viewport } from '#core/document/document.ts';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { PATHS } from '#core/paths.ts';
import { oneLine } from '#core/text/text.ts';
import { Copyable, CopyScript } from '#web/copyable.tsx';
import { PageAddress, lineRangeText } from '#web/public/citation.tsx';
import { ActionForm, ConsolePage } from '#web/console/console-page.tsx';
import type { Visitor } from '#web/console/console-page.tsx';

export type Passage = {
  url: string;
  title: string | null;
  cursor: string;
  L_start: number;
  L_end: number;
  text: string;
};
export type Result = { title: string; url: string; snippet: string };
type Opened = {
  kind: 'page';
  source: CitedSource;
  shown: { start: number; lines: readonly string[] };
  /** The lines that were ticked, and the link that shows them. */
  cited: Viewport | null;
  link: string | null;
};

export type Answer =
  | { kind: 'nothing' }
  | Opened
  | { kind: 'found'; passages: readonly Passage[]; results: readonly Result[] }
  | { kind: 'failure'; message: string; hint: string; quoted?: string | undefined };

type Props = { visitor: Visitor; webSearch: string | null; asked: string; answer: Answer };

export function Playground({ visitor, webSearch, asked, answer }: Props) {
  return (
    <ConsolePage visitor={visitor} title="Try it" at={PATHS.playground}>
      <p class="lead">See what your model gets. Open a page or ask a question, then select lines to cite.</p>
      <form method="post" action={PATHS.playground} class="filter">
        <input type="hidden" name="form" value={visitor.form} />
        <div>
          <label for="ask">Address or question</label>
          <input
            id="ask"
            name="ask"
            type="text"
            value={asked}
            required
            autocomplete="off"
            aria-describedby="asked-of"
          />
        </div>
        <button type="submit" class="primary">
          Go
        </button>
      </form>
      <p class="facts" id="asked-of">
        {webSearch === null
          ? 'An address can be any page. A question searches the pages opened here before: web search is not set up.'
          : `An address can be any page. A question searches the pages opened here before, and ${webSearch}.`}{' '}
        It counts towards your budget, like a call of your model.
      </p>
      <Answered answer={answer} visitor={visitor} />
    </ConsolePage>
  );
}

function Answered({ answer, visitor }: { answer: Answer; visitor: Visitor }) {
  switch (answer.kind) {
    case 'nothing':
      return null;
    case 'failure':
      return (
        <>
          <p class="problem" role="alert" {...FOCUS_ON_LOAD}>
            {answer.message} {answer.hint}
          </p>
          {answer.quoted === undefined ? null : <blockquote lang="">{answer.quoted}</blockquote>}
        </>
      );
    case 'found':
      return <Found {...answer} visitor={visitor} />;
    case 'page':
      return <OpenedPage {...answer} />;
  }
}

function OpenedPage({ source, shown, cited, link }: Opened) {
  const { title, url, cursor, lineCount } = source;
  const end = shown.start + shown.lines.length;
  const from = (line: number) =>
    `${PATHS.playground}?${new URLSearchParams({ cursor, from: String(line) }).toString()}`;
  return (
    <>
      {cited === null || link === null ? null : <Cited cited={cited} link={link} shown={shown} />}
      <h2 {...(cited === null ? FOCUS_ON_LOAD : {})}>
        <bdi>{oneLine(title ?? '', TITLE_CHARS_MAX) || url}</bdi>
      </h2>
      <p class="facts">
        <PageAddress url={url} />
      </p>
      <form method="get" action={PATHS.playground}>
        <input type="hidden" name="cursor" value={cursor} />
        {shown.start === 0 ? null : <input type="hidden" name="from" value={String(shown.start)} />}
        <p class="pick">
          <span>Select the first and the last line of your quote.</span>{' '}
          <button type="submit" class="primary">
            Get the link
          </button>
        </p>
        <ol class="picked" lang="">
          {shown.lines.map((text, index) => (
            <PickLine number={shown.start + index} text={text} cited={cited} />
          ))}
        </ol>
      </form>
      {end >= lineCount ? null : (
        <p>
          <a href={from(end)}>Lines from {end + 1} on</a>
        </p>
      )}
    </>
  );
}

function PickLine({ number, text, cited }: { number: number; text: string; cited: Viewport | null }) {
  const isCited = cited !== null && number >= cited.start && number <= cited.end;
  const isTicked = cited !== null && (number === cited.start || number === cited.end);
  if (text.trim() === '') return <li class="blank"></li>;
  return (
    <li>
      <label>
        <input type="checkbox" name="line" value={String(number)} checked={isTicked} />
        <span class="number">{number + 1}</span>
        {isCited ? <mark>{text}</mark> : <span>{text}</span>}
      </label>
    </li>
  );
}

function Cited({ cited, link, shown }: { cited: Viewport; link: string; shown: Opened['shown'] }) {
  const quoted = shown.lines.slice(Math.max(0, cited.start - shown.start), cited.end - shown.start + 1);
  return (
    <section class="answer" role="status" {...FOCUS_ON_LOAD}>
      <h2>Your citation</h2>
      <blockquote lang="">{quoted.join('\n')}</blockquote>
      <Copyable text={link} what="the citation link" />
      <p class="facts">
        The link opens these lines as you see them now, even if the page changes. Only you can open it;{' '}
        <a href={link}>open it to share the quote</a>.
      </p>
      <CopyScript />
    </section>
  );
}

type FoundProps = Extract<Answer, { kind: 'found' }> & { visitor: Visitor };

function Found({ passages, results, visitor }: FoundProps) {
  return (
    <>
      <h2 {...FOCUS_ON_LOAD}>Passages</h2>
      {passages.length === 0 ? <p>No page opened here answers this. Open a page by its address first.</p> : null}
      <ul class="cards">
        {passages.map((one) => (
          <PassageCard {...one} />
        ))}
      </ul>
      {results.length === 0 ? null : <h2>Search results</h2>}
      <ul class="cards">
        {results.map(({ title, url, snippet }) => (
          <li>
            <div>
              <bdi>{oneLine(title, TITLE_CHARS_MAX) || url}</bdi>
              <p class="facts">
                <PageAddress url={url} />
              </p>
              <p lang="">{snippet}</p>
            </div>
            <ActionForm to={PATHS.playground} form={visitor.form} fields={{ ask: url }} label="Open" about={title} />
          </li>
        ))}
      </ul>
    </>
  );
}

function PassageCard({ url, title, cursor, L_start: start, L_end: end, text }: Passage) {
  const lines = { start, end };
  const query = new URLSearchParams({ cursor, from: String(start) });
  query.append('line', String(start));
  query.append('line', String(end));
  return (
    <li>
      <div>
        <blockquote lang="">{text}</blockquote>
        <p class="facts">
          <a href={citationPath(cursor, lines)}>{lineRangeText(lines)}</a> of{' '}
          <bdi>{oneLine(title ?? '', TITLE_CHARS_MAX) || url}</bdi>
        </p>
      </div>
      <a href={`${PATHS.playground}?${query.toString()}`}>Cite these lines</a>
    </li>
  );
}
