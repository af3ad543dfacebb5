import type { Child } from 'hono/jsx';
import type { Viewport } from '#core/document/document.ts';
import type { InlineRun } from './inline-runs.ts';
import { FOCUS_ON_LOAD } from '#web/layout.tsx';
import { blockLines, textBlocks } from './blocks.ts';
import type { ProseLine, TextBlock } from './blocks.ts';
import { quotedRanges } from './quoted.ts';
import type { QuotedWords, QuotedRanges } from './quoted.ts';

type Props = {
  lines: readonly string[];
  /** Number of the first line, counted from 0. */
  start: number;
  /** The fence that opened a code block before the first line; `null` outside code. */
  fence: string | null;
  /** Base URL of relative links. */
  url: string;
  cited: Viewport | null;
  quotes: readonly QuotedWords[];
  /** True to focus the first cited line. The focus scrolls it into view and starts keyboard navigation there. */
  hasFocus: boolean;
  place: string;
};

type Shown = Pick<Props, 'url' | 'cited' | 'place'> & {
  marked: ReadonlyMap<InlineRun, QuotedRanges>;
  focused: number | null;
};

/**
 * Lines of a document on a page. All content is text: pictures are described, not loaded. The line numbers are those
 * that models and links use.
 */
export function PageText({ lines, start, fence, url, cited, quotes, hasFocus, place }: Props) {
  const blocks = textBlocks(lines, start, fence);
  const inside = blockLines(blocks).filter(({ number }) => isCited(number, cited));
  const marked = quotedRanges(inside, quotes);
  const shown = { url, cited, place, marked, focused: hasFocus ? (inside[0]?.number ?? null) : null };
  return (
    <div class="text" lang="">
      {blocks.map((block) => (
        <Block block={block} shown={shown} />
      ))}
    </div>
  );
}

function isCited(number: number, cited: Viewport | null): boolean {
  return cited !== null && number >= cited.start && number <= cited.end;
}

function Block({ block, shown }: { block: TextBlock; shown: Shown }) {
  switch (block.kind) {
    case 'line':
      return <Prose line={block.line} shown={shown} />;
    case 'list':
      return (
        <ul>
          {block.lines.map((line) => (
            <li {...rowOf(line.number, shown, depthOf(line))}>
              <LineNumber number={line.number} shown={shown} />
              <Body line={line} shown={shown} />
            </li>
          ))}
        </ul>
      );
    case 'code':
      return (
        <div class="code">
          {block.lines.map((line) => (
            <div {...rowOf(line.number, shown)}>
              <LineNumber number={line.number} shown={shown} />
              <code>
                <Inline runs={line.runs} shown={shown} />
              </code>
            </div>
          ))}
        </div>
      );
    case 'table':
      return <Table rows={block.rows} shown={shown} />;
  }
}

function rowOf(number: number, { cited, focused }: Shown, more = '') {
  return {
    id: `L${number}`,
    class: `row${isCited(number, cited) ? ' cited' : ''}${more}`,
    ...(number === focused ? FOCUS_ON_LOAD : {}),
  };
}

function depthOf({ depth, isQuote }: ProseLine): string {
  return `${depth === 0 ? '' : ` in${depth}`}${isQuote ? ' quoted' : ''}`;
}

/** A line number as a link. The Tab key skips line numbers, because there may be hundreds. */
function LineNumber({ number, shown }: { number: number; shown: Shown }) {
  return (
    <a class="n" href={`${shown.place}L${number}`} tabindex={-1}>
      {String(number)}
    </a>
  );
}

function Prose({ line, shown }: { line: ProseLine; shown: Shown }) {
  return (
    <div {...rowOf(line.number, shown, depthOf(line))}>
      <LineNumber number={line.number} shown={shown} />
      <Body line={line} shown={shown} />
    </div>
  );
}

const HEADINGS = { 2: 'h2', 3: 'h3', 4: 'h4', 5: 'h5' } as const;

function Body({ line, shown }: { line: ProseLine; shown: Shown }) {
  const words = <Inline runs={line.runs} shown={shown} />;
  if (line.kind === 'rule') return <hr />;
  if (line.kind === 'note') return <p class="facts">{words}</p>;
  if (line.kind === 'heading') {
    const Heading = HEADINGS[headingOf(line.rank)];
    return <Heading>{words}</Heading>;
  }
  return (
    <p>
      {line.marker === null ? null : <span class="marker">{line.marker} </span>}
      {words}
    </p>
  );
}

function headingOf(rank: number): keyof typeof HEADINGS {
  return rank === 2 || rank === 3 || rank === 4 ? rank : 5;
}

function Table({ rows, shown }: { rows: Extract<TextBlock, { kind: 'table' }>['rows']; shown: Shown }) {
  return (
    <div class="scrolls" tabindex={0} role="group" aria-label="Table">
      <table>
        {rows.map(({ number, cells, isHead }) => {
          const Cell = isHead ? 'th' : 'td';
          return (
            <tr {...rowOf(number, shown)}>
              <td>
                <LineNumber number={number} shown={shown} />
              </td>
              {cells.map((runs) =>
                runs.length === 0 ? (
                  <td></td>
                ) : (
                  <Cell>
                    <Inline runs={runs} shown={shown} />
                  </Cell>
                ),
              )}
            </tr>
          );
        })}
      </table>
    </div>
  );
}

function Inline({ runs, shown }: { runs: readonly InlineRun[]; shown: Shown }) {
  return <>{inLinks(runs).map(({ link, inside }) => linked(link, inside, shown))}</>;
}

function inLinks(runs: readonly InlineRun[]): { link: string | null; inside: InlineRun[] }[] {
  const groups: { link: string | null; inside: InlineRun[] }[] = [];
  for (const run of runs) {
    const link = run.link ?? run.picture;
    const last = groups.at(-1);
    if (last !== undefined && last.link === link) last.inside.push(run);
    else groups.push({ link, inside: [run] });
  }
  return groups;
}

function linked(link: string | null, inside: readonly InlineRun[], shown: Shown): Child {
  const words = inside.map((run) => set(run, shown.marked.get(run) ?? []));
  const url = link === null ? null : URL.parse(link, shown.url);
  if (url === null || !/^https?:$/.test(url.protocol)) return <>{words}</>;
  return (
    <a href={url.href} rel="nofollow noopener noreferrer">
      {words}
    </a>
  );
}

function set(run: InlineRun, ranges: QuotedRanges): Child {
  let child: Child = <Marked text={run.text} ranges={ranges} />;
  if (run.isCode) child = <code>{child}</code>;
  if (run.script === 'sub') child = <sub>{child}</sub>;
  if (run.script === 'sup') child = <sup>{child}</sup>;
  if (run.isEm) child = <em>{child}</em>;
  if (run.isStrong) child = <strong>{child}</strong>;
  if (run.isStruck) child = <s>{child}</s>;
  return run.picture === null ? child : <span class="described">{child}</span>;
}

function Marked({ text, ranges }: { text: string; ranges: QuotedRanges }) {
  const parts: Child[] = [];
  let at = 0;
  for (const [from, to] of ranges) {
    parts.push(text.slice(at, from), <mark>{text.slice(from, to)}</mark>);
    at = to;
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  );
}
