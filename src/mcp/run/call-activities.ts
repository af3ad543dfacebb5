import * as z from 'zod';
import { isSessionName } from '#browsing/session/session-name.ts';
import { isCursor } from '#core/document/citation.ts';
import type { Activity, ActivityKind, ReadPageFacts } from '#core/activity.ts';
import { isFileAddress } from '#core/document/file-facts.ts';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import type { Principal } from '#core/principal.ts';
import { redactText, redactUrl } from '#core/secrets/secret-addresses.ts';
import { truncateUrl, oneLine } from '#core/text/text.ts';
import type { Failure } from '#core/failures/failure.ts';
import type { Tool } from '#tools/define-tool.ts';
import { describeFailure } from '#core/failures/describe-failure.ts';
import type { RecordedOutcome } from './run-call.ts';

const DEED_WORDS_CHARS_MAX = 300;

const optional = z.string().optional().catch(undefined);
/** The parts of a call's input that the user's activity may show. Typed text and scripts are excluded. */
const givenPart = z.object({
  query: optional,
  question: optional,
  pattern: optional,
  quote: optional,
  url: optional,
  selector: optional,
  cursor: optional,
  session: optional,
  action: optional,
});
const structuredPart = z.object({
  cursor: optional,
  session: optional,
  tab: z.object({ title: z.string() }).optional().catch(undefined),
});

/** Failures that the activity omits: rejecting an excess call must cost less than recording it would. */
const UNTOLD: ReadonlySet<string> = new Set(['rate_limited']);

/** Describes a call for the user's activity, one entry per page shown. Omits credentials, typed text and scripts. */
export function describeActivities(
  tool: Pick<Tool, 'name' | 'toolset'>,
  input: unknown,
  outcome: RecordedOutcome<{ structured?: unknown; read?: readonly ReadPageFacts[] | undefined }>,
  { client = '' }: Principal,
): Activity[] {
  const { fact } = outcome;
  if (UNTOLD.has(fact.errorCode ?? '')) return [];
  const given = givenPart.safeParse(input).data ?? {};
  const answer = 'answer' in outcome ? outcome.answer : null;
  const told = structuredPart.safeParse(answer?.structured).data ?? {};
  const words = given.query ?? given.question ?? given.pattern ?? given.quote ?? given.selector;
  const call = {
    at: Date.parse(fact.ts),
    client,
    tool: tool.name,
    kind: kindOf(tool),
    words: words === undefined ? null : oneLine(redactText(words), DEED_WORDS_CHARS_MAX),
    session: sessionOf(tool, given, told.session),
    ms: fact.ms,
    error: fact.errorCode,
    ...('failure' in outcome ? whyFailed(tool, outcome.failure) : { reason: null, hint: null }),
  };
  const pages: readonly Partial<ReadPageFacts>[] = answer?.read ?? [
    { url: fact.url ?? given.url ?? '', title: told.tab?.title ?? null, cursor: told.cursor ?? given.cursor ?? null },
  ];
  const id = crypto.randomUUID();
  return pages.map(({ url = '', title = null, cursor = null, documentId = null, lines = null }, index) => ({
    ...call,
    id: `${id}.${index}`,
    isCall: index === 0,
    url: isShown(url) ? truncateUrl(redactUrl(url)) : null,
    title: oneLine(title ?? '', TITLE_CHARS_MAX) || null,
    cursor: cursor !== null && isCursor(cursor) ? cursor : null,
    documentId,
    lines,
  }));
}

/** Describes a failure. An error of a browser call may quote typed text, so only the argument's name is given. */
function whyFailed(tool: Pick<Tool, 'name' | 'toolset'>, failure: Failure): Pick<Activity, 'reason' | 'hint'> {
  if (kindOf(tool) === 'browse' && failure.code === 'invalid_argument')
    return { reason: `The argument ${failure.field} did not fit.`, hint: null };
  if (kindOf(tool) === 'browse' && TELLS_OF_SCRIPTS.has(failure.code)) return { reason: null, hint: null };
  const { message, hint } = describeFailure(failure);
  return { reason: redactedLine(message), hint: redactedLine(hint) };
}

const TELLS_OF_SCRIPTS: ReadonlySet<Failure['code']> = new Set(['script_blocked', 'script_failed']);

function redactedLine(words: string): string | null {
  return oneLine(redactText(words), DEED_WORDS_CHARS_MAX) || null;
}

function isShown(url: string): boolean {
  return /^https?:/iu.test(url) || isFileAddress(url);
}

function kindOf({ name, toolset }: Pick<Tool, 'name' | 'toolset'>): ActivityKind {
  return KINDS[name] ?? (toolset === 'browser' ? 'browse' : 'read');
}

const KINDS: Readonly<Record<string, ActivityKind>> = {
  search: 'search',
  web_search: 'search',
  cite: 'cite',
  cache_purge: 'purge',
};

/** The session of a browser call. `browser_files` concerns a session only in its action `put`. */
function sessionOf(
  { name, toolset }: Pick<Tool, 'name' | 'toolset'>,
  given: z.output<typeof givenPart> | Record<string, never>,
  told: string | undefined,
): string | null {
  if (toolset !== 'browser' || (name === 'browser_files' && given.action !== 'put')) return null;
  const session = told ?? given.session ?? 'default';
  return isSessionName(session) ? session : null;
}
