import type { ActivityKind } from '#core/activity.ts';
import { MINUTE_MS } from '#core/limits.ts';
import { PATHS, sessionPath, sessionStepsPath } from '#core/paths.ts';
import { oneLine } from '#core/text/text.ts';
import type { StoredActivity } from '#storage/person/activity-log.ts';
import type { Tool } from '#tools/define-tool.ts';
import { CATALOG } from '#tools/catalog.ts';
import { PageUrlLink, lineRangeText } from '#web/public/citation.tsx';
import type { IconName } from '#web/style/icons.tsx';
import { ItemList } from '#web/parts/list.tsx';
import type { ListEntry } from '#web/parts/list.tsx';
import { Timestamp } from '#web/parts/timestamp.tsx';
import { describeSteps } from '#web/sessions/step-words.ts';

type Line = StoredActivity;
type NameOf = (client: string) => string;

/**
 * Maximum characters of a name in a chip, so that an entry fits on one line. The entry's details have the full name.
 */
const CHIP_CHARS_MAX = 20;

/** Maximum pause within a task. Calls with a longer pause between them belong to two tasks. */
const TASK_PAUSE_MS = 10 * MINUTE_MS;

/**
 * Groups lines of one client with only short pauses between them, because these are likely to belong to one task.
 * @param lines newest first
 */
export function groupByTask<T extends Pick<Line, 'at' | 'client'>>(lines: readonly T[]): (readonly T[])[] {
  const tasks: T[][] = [];
  const open = new Map<string, T[]>();
  for (const line of lines) {
    const task = open.get(line.client);
    const last = task?.at(-1);
    if (task !== undefined && last !== undefined && last.at - line.at <= TASK_PAUSE_MS) {
      task.push(line);
      continue;
    }
    const begun = [line];
    open.set(line.client, begun);
    tasks.push(begun);
  }
  return tasks;
}

export function TaskActivity({ lines, nameOf }: { lines: readonly Line[]; nameOf: NameOf }) {
  const [newest] = lines;
  const oldest = lines.at(-1);
  if (newest === undefined || oldest === undefined) return null;
  const calls = lines.filter(({ isCall }) => isCall).length;
  const failed = lines.filter(({ error }) => error !== null).length;
  return (
    <section class="task">
      <div class="heading">
        <h2>
          <bdi>{nameOf(newest.client)}</bdi>
        </h2>
        <span class="facts">
          {calls === 0 ? null : calls === 1 ? '1 call' : `${calls} calls`}
          {failed === 0 ? null : `, ${failed} failed`}
          {calls + failed === 0 ? null : ', '}began <Timestamp at={oldest.at} precise />
        </span>
      </div>
      <ItemList kind="lines" items={lines.map((line) => activityItem(line, null))} />
    </section>
  );
}

type KindWords = { done: string; failed: string; plural: string; icon: IconName };

const KIND_WORDS: Record<ActivityKind, KindWords> = {
  read: { done: 'Read', failed: 'Could not read', plural: 'Pages read', icon: 'page' },
  search: { done: 'Searched', failed: 'Could not search', plural: 'Searches', icon: 'search' },
  cite: { done: 'Cited', failed: 'Could not cite', plural: 'Citations', icon: 'quote' },
  browse: { done: 'Used', failed: 'Could not use', plural: 'Browser calls', icon: 'browser' },
  purge: { done: 'Deleted', failed: 'Could not delete', plural: 'Pages deleted', icon: 'remove' },
};

const TOOL_WORDS = new Map<string, Tool['historyWords']>([
  ...CATALOG.map(({ name, historyWords }): [string, Tool['historyWords']] => [name, historyWords]),
  // Actions of the user in the console, which are listed like tool calls.
  ['rules', ['Changed the rules', 'change the rules']],
  ['approvals', ['Answered a model', 'answer a model']],
]);

const TOOL_ICONS: Readonly<Record<string, IconName>> = { follow: 'follow', changes: 'change', rules: 'rule' };

export function describeActivityKind(kind: ActivityKind): string {
  return KIND_WORDS[kind].plural;
}

function deedOf({ kind, tool, error }: Line): string {
  const own = TOOL_WORDS.get(tool) ?? null;
  if (own !== null) return error === null ? own[0] : `Could not ${own[1]}`;
  return error === null ? KIND_WORDS[kind].done : KIND_WORDS[kind].failed;
}

function iconOf({ kind, tool, error }: Line): IconName {
  if (error !== null) return 'failed';
  return TOOL_ICONS[tool] ?? KIND_WORDS[kind].icon;
}

/** Shows one line of activity, with details that open on demand. @param nameOf names the client; `null` to omit it */
export function activityItem(line: Line, nameOf: NameOf | null): ListEntry {
  const { at, tool, url, client, session, ms, error, step = null } = line;
  return {
    icon: iconOf(line),
    isFailed: error !== null,
    body: (
      <>
        <DeedAndAbout line={line} /> <Where line={line} />
      </>
    ),
    aside: (
      <>
        {session === null && nameOf === null ? null : (
          <span class="chip">
            <bdi>{oneLine(session ?? nameOf?.(client) ?? '', CHIP_CHARS_MAX)}</bdi>
          </span>
        )}
        <Timestamp at={at} precise />
      </>
    ),
    details: [
      <WhyFailed line={line} />,
      url === null ? null : <PageUrlLink url={url} />,
      <>
        <code>{tool}</code> · {ms} ms
        {nameOf === null ? null : (
          <>
            {' '}
            · <bdi>{nameOf(client)}</bdi>
          </>
        )}
        {session === null ? null : (
          <>
            {' '}
            · session <a href={step === null ? sessionPath(session) : sessionStepsPath(session, step.seq)}>{session}</a>
          </>
        )}
      </>,
    ],
  };
}

/** The most important facts about an activity: the page's host and line range or, for a failure, its reason. */
function Where({ line }: { line: Line }) {
  const { url, lines, error, reason, title, words, step = null } = line;
  if (error !== null) return <span class="where doubt">{reason ?? error.replaceAll('_', ' ')}</span>;
  const host = url === null || (title === null && words === null && step === null) ? null : URL.parse(url)?.host;
  const page = wordsAskedIn(line) === null ? null : title;
  const parts = [page, host, lines === null ? null : lineRangeText(lines)].filter((part) => typeof part === 'string');
  return parts.length === 0 ? null : <span class="where">{parts.join(' · ')}</span>;
}

function WhyFailed({ line: { error, reason, hint } }: { line: Line }) {
  if (error === null) return null;
  return (
    <p class="doubt">
      Failed (<code>{error}</code>){reason === null ? '.' : `: ${reason}`}
      {hint === null ? null : <span class="facts"> Hint for the model: {hint}</span>}
    </p>
  );
}

/** The action, such as "Read", and its object, such as a page's title. The object links to the result of the call. */
function DeedAndAbout({ line }: { line: Line }) {
  const { deed, about, to } = partsOf(line);
  return (
    <>
      {deed === '' ? null : <span class="deed">{deed}</span>}{' '}
      <span class="about">
        {to === null ? (
          <bdi>{about}</bdi>
        ) : (
          <a href={to}>
            <bdi>{about}</bdi>
          </a>
        )}
      </span>
    </>
  );
}

function partsOf(line: Line): { deed: string; about: string; to: string | null } {
  const { title, url, session, error, step = null } = line;
  const what = wordsAskedIn(line);
  const named = title ?? shortAddress(url);
  if (step !== null && session !== null && error === null) {
    const to = sessionStepsPath(session, step.seq);
    if (line.tool === 'browser_navigate' && named !== null) return { deed: deedOf(line), about: named, to };
    const words = describeSteps(line.tool.replace(/^browser_/u, ''), step.done);
    const [, deed = '', about = words] = /^(\S+ed) (.+)$/u.exec(words) ?? [];
    return { deed, about, to };
  }
  return {
    deed: deedOf(line),
    about: what === null ? (named ?? placeOf(line)) : what.includes('"') ? what : `“${what}”`,
    to: leadsOn(line) && error === null ? `${PATHS.openActivity}?line=${line.seq}` : null,
  };
}

/** The call's words, such as a search query, if they add to the page's title; otherwise `null`. */
function wordsAskedIn({ kind, tool, title, words }: Line): string | null {
  return kind === 'search' || tool === 'find_passages' || title === null ? words : null;
}

/** Words for a call without a title or URL: the session, if the line is about one, or "a page". */
function placeOf(line: Line): string {
  if (line.session === null) return line.tool === 'changes' ? 'followed pages' : '';
  return deedOf(line).endsWith('session') ? line.session : 'a page';
}

/** A short form of a URL, such as `shop.example/pricing`. */
function shortAddress(url: string | null): string | null {
  return url === null ? null : url.replace(/^https?:\/\//u, '').replace(/\/$/u, '');
}

function leadsOn({ kind, cursor, documentId, session }: Line): boolean {
  return kind === 'search' || cursor !== null || documentId !== null || session !== null;
}
