import type { Protocol } from 'devtools-protocol';
import { stricterLevel } from '#core/site-rules.ts';
import type { RuleDecision } from '#core/site-rules.ts';
import { fromBase64 } from '#core/text/base64.ts';
import { registrableDomain } from '#net/site.ts';
import { ACT_EFFECT_WINDOW_MS, isStoppedByBackstop, isSafeMethod } from './backstop.ts';
import type { BackstopRequest } from './backstop.ts';
import type { PageRules, RuledTab } from './page-rules.ts';

/** The used parts of the request gate's types. */
type Gated = { url: string; method: string; frameId: string; resourceType: string; at: number };
type Sent = Pick<Protocol.Network.Request, 'headers' | 'hasPostData' | 'postData' | 'postDataEntries'>;
type Refusal = { reason: string; rule?: RuleDecision };

type RuledTabs<Tab extends RuledTab> = {
  all: () => readonly Tab[];
  ofFrame: (frameId: string) => Tab | null;
  readonly driver: { readonly isDriving: boolean };
};

/** A request from a page under an `ask` rule that may be an effect of a model's act. */
export type RequestToApprove<Tab extends RuledTab> = { tab: Tab | null; by: RuleDecision; request: BackstopRequest };

/** Records requests that pages under an `ask` rule send without a question to the user. */
export type RecordUnaskedRequest<Tab extends RuledTab> = (
  tab: Tab | null,
  request: { method: string; url: string },
) => void;

type Asking<Tab extends RuledTab> = { hold: AskAboutRequest<Tab> | null; noteSent: RecordUnaskedRequest<Tab> | null };

const NOBODY = { hold: null, noteSent: null };

/** Asks the user about a request. `null` lets the request pass; a text is the reason for refusing it. */
export type AskAboutRequest<Tab extends RuledTab> = (held: RequestToApprove<Tab>) => Promise<string | null>;

/**
 * Checks the requests of a session against its site rules. Refuses every document of a blocked site, in any frame, and
 * every effect of a model's act on a page that the model may only read. Requests of a driving person pass.
 * @param asking decides about requests of pages under an `ask` rule. Without it, these requests pass, except beacons
 * and reports
 */
export function createSiteRulesCheck<Tab extends RuledTab>(
  rules: PageRules,
  tabs: RuledTabs<Tab>,
  asking: () => Asking<Tab> = () => NOBODY,
): (gated: Gated, sent: Sent) => Promise<Refusal | null> {
  return async (gated, sent) => {
    if (rules.isOff || tabs.driver.isDriving) return null;
    const { url, resourceType, frameId } = gated;
    const target = rules.of(url);
    if (resourceType === 'Document' && target.level === 'block') return { reason: BLOCKED, rule: target };
    const tab = tabs.ofFrame(frameId);
    const senders = tab === null ? tabs.all() : [tab];
    const msSince = shortest(senders.map((one) => rules.msSinceAct(one, gated.at)));
    if (msSince === null) return null;
    if (resourceType === 'Document' && msSince <= ACT_EFFECT_WINDOW_MS)
      for (const one of senders) rules.noteOpening(one);
    const by = senderRule(rules, senders, tab === null ? null : frameId, sent);
    // A rule that names the target site also applies when pages of other sites send requests to that site.
    const isBound = resourceType === 'Document' || target.isNamed;
    const ruled = by === null ? target : isBound ? stricterLevel(by, target) : by;
    if (ruled.level === 'act') return null;
    const request = describe(gated, sent);
    const level = ruled.level === 'ask' ? 'ask' : 'read';
    const site = siteOfSender(senders, tab === null ? null : frameId);
    if (!isStoppedByBackstop(request, { level, site, msSince })) {
      if (level === 'ask' && !isSafeMethod(request)) asking().noteSent?.(tab, request);
      return null;
    }
    if (level === 'read') return { reason: ONLY_LOOKS, rule: ruled };
    // Nobody is asked, because users cannot judge measurement data, and pages work without it.
    if (REPORTS.has(resourceType)) return { reason: NO_REPORTS };
    const reason = (await asking().hold?.({ tab, by: ruled, request })) ?? null;
    return reason === null ? null : { reason };
  };
}

/** Beacons, link pings and reports of the browser, to which the page gets no response. */
const REPORTS: ReadonlySet<string> = new Set(['Ping', 'CSPViolationReport']);
const NO_REPORTS = 'beacons and reports are not sent soon after an act of a model where a rule asks first';
const BLOCKED = 'a rule blocks this site for models';
const ONLY_LOOKS = 'a rule lets models only look at this site, so nothing that may change something is sent';

function shortest(times: readonly (number | null)[]): number | null {
  const known = times.filter((ms) => ms !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/**
 * The rule for the page that sent a request. A form may load its response into another frame or window, so the page in
 * the `Origin` or `Referer` header counts as well. The request of an unknown frame may come from any tab.
 */
function senderRule(
  rules: PageRules,
  senders: readonly RuledTab[],
  frameId: string | null,
  sent: Sent,
): RuleDecision | null {
  const shown = senders.flatMap((tab) => {
    const frame = frameId === null ? null : tab.frame(frameId);
    const rest = tab.main().url === '' ? tab.openedBy.map((url) => rules.of(url)) : [];
    return [frame === null ? rules.inTab(tab) : rules.at(tab, frame), ...rest];
  });
  const named = Object.entries(sent.headers)
    .filter(([name, value]) => /^(?:origin|referer)$/iu.test(name) && /^https?:/iu.test(value))
    .map(([, value]) => rules.of(value));
  const [first, ...others] = [...shown, ...named];
  return first === undefined ? null : others.reduce(stricterLevel, first);
}

/** Site of the page that sent the request; `null` if unknown, so that the request counts as leaving the site. */
function siteOfSender([tab, ...others]: readonly RuledTab[], frameId: string | null): string | null {
  if (tab === undefined || others.length > 0) return null;
  const frame = frameId === null ? null : tab.frame(frameId);
  return registrableDomain(frame?.url ?? '') ?? registrableDomain(tab.main().url);
}

function describe(
  { url, method, resourceType }: Pick<Gated, 'url' | 'method' | 'resourceType'>,
  sent: Sent,
): BackstopRequest {
  const contentType = Object.entries(sent.headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return { url, method, resourceType, contentType, hasBody: sent.hasPostData === true, body: bodyOf(sent) };
}

function bodyOf({ postDataEntries = [], postData }: Sent): string | null {
  const encoded = postDataEntries.map(({ bytes }) => bytes ?? null);
  if (encoded.length === 0) return postData ?? null;
  const parts = encoded.flatMap((part) => (part === null || part.length > BODY_CHARS_MAX ? [] : [fromBase64(part)]));
  return parts.length < encoded.length ? null : parts.map((part) => UTF_8.decode(part)).join('');
}

const BODY_CHARS_MAX = 150_000;
const UTF_8 = new TextDecoder();
