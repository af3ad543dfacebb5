import type { ActivityKind } from '#core/activity.ts';
import { MINUTE_MS } from '#core/limits.ts';
import { PATHS, sessionPath, stepPath } from '#core/paths.ts';
import type { StoredActivity } from '#storage/person/activity-log.ts';
import { PageAddress, lineRangeText } from '#web/public/citation.tsx';
import { ItemList } from '#web/parts/list.tsx';
import type { Item } from '#web/parts/list.tsx';
import { Timestamp } from '#web/parts/timestamp.tsx';
import { stepWords } from '#web/sessions/step-words.ts';

type Line = StoredActivity;
type NameOf = (client: string) => string;

/** Lines without a longer pause between them are of one task. */
const TASK_PAUSE_MS = 10 * MINUTE_MS;

/** Lines of one client that follow each other closely are likely to be about the same thing. @param lines newest first */
export function tasksOf<T extends Pick<Line, 'at' | 'client'>>(lines: readonly T[]): (readonly T[])[] {
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

export function Task({ lines, nameOf }: { lines: readonly Line[]; nameOf: NameOf }) {
  const [newest] = lines;
  const oldest = lines.at(-1);
  if (newest === undefined || oldest === undefined) return null;
  const failed = lines.filter(({ error }) => error !== null).length;
  return (
    <section class="task">
      <h2>
        <bdi>{nameOf(newest.client)}</bdi>
      </h2>
      <p class="facts">
        {lines.length === 1 ? '1 line' : `${lines.length} lines`}
        {failed === 0 ? null : `, ${failed} failed`}, began <Timestamp at={oldest.at} precise />
      </p>
      <ItemList items={lines.map((line) => activityItem(line, null))} />
    </section>
  );
}

const KIND_WORDS: Record<ActivityKind, { done: string; failed: string; plural: string }> = {
  read: { done: 'Read', failed: 'Could not read', plural: 'Pages read' },
  search: { done: 'Searched', failed: 'Could not search', plural: 'Searches' },
  cite: { done: 'Cited', failed: 'Could not cite', plural: 'Citations' },
  browse: { done: 'Used the browser:', failed: 'Could not use the browser:', plural: 'Browser calls' },
  purge: { done: 'Deleted from the store', failed: 'Could not delete from the store', plural: 'Pages deleted' },
};

/** Names a kind of lines, as a choice. */
export function kindInWords(kind: ActivityKind): string {
  return KIND_WORDS[kind].plural;
}

function deedOf({ kind, tool, error }: Line): string {
  if (tool === 'follow') return error === null ? 'Followed' : 'Could not follow';
  return error === null ? KIND_WORDS[kind].done : KIND_WORDS[kind].failed;
}

/** @param nameOf names the client; `null` where the list does */
export function activityItem(line: Line, nameOf: NameOf | null): Item {
  const { at, tool, url, client, session, lines, ms, step = null } = line;
  return {
    body: (
      <>
        <p>
          {step === null ? <span class="facts">{deedOf(line)} </span> : null}
          <About line={line} />
          {lines === null ? null : <span class="facts"> {lineRangeText(lines)}</span>}
        </p>
        <WhyFailed line={line} />
      </>
    ),
    facts: [
      url === null || isNamedByAddress(line) ? null : <PageAddress url={url} />,
      <>
        <Timestamp at={at} precise /> · <code>{tool}</code> · {ms} ms
        {nameOf === null ? null : (
          <>
            {' '}
            · <bdi>{nameOf(client)}</bdi>
          </>
        )}
        {session === null ? null : (
          <>
            {' '}
            · session <a href={step === null ? sessionPath(session) : stepPath(session, step.seq)}>{session}</a>
          </>
        )}
      </>,
    ],
  };
}

function WhyFailed({ line: { error, reason, hint } }: { line: Line }) {
  if (error === null) return null;
  return (
    <p class="doubt">
      Failed (<code>{error}</code>){reason === null ? '.' : `: ${reason}`}
      {hint === null ? null : <span class="facts"> The model was told: {hint}</span>}
    </p>
  );
}

function About({ line }: { line: Line }) {
  const { kind, title, words, url, session, error } = line;
  const what = kind === 'search' || title === null ? words : null;
  const { step } = line;
  if (step !== undefined && step !== null && session !== null) {
    return (
      <a href={stepPath(session, step.seq)}>
        <bdi>{stepWords(line.tool.replace(/^browser_/u, ''), step.done)}</bdi>
      </a>
    );
  }
  if (url !== null && isNamedByAddress(line)) return <PageAddress url={url} />;
  const label = what === null ? (title ?? url ?? session ?? line.tool) : `“${what}”`;
  if (!leadsOn(line) || error !== null) return <bdi>{label}</bdi>;
  return (
    <a href={`${PATHS.openActivity}?line=${line.seq}`}>
      <bdi>{label}</bdi>
    </a>
  );
}

/** Nothing better names it, and it leads nowhere else. */
function isNamedByAddress(line: Line): boolean {
  const { title, words, url, step = null, error } = line;
  return url !== null && title === null && words === null && step === null && (error !== null || !leadsOn(line));
}

function leadsOn({ kind, cursor, documentId, session }: Line): boolean {
  return kind === 'search' || cursor !== null || documentId !== null || session !== null;
}
