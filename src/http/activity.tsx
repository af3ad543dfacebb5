import { Hono } from 'hono';
import type { Context } from 'hono';
import { citationPath } from '#core/citation.ts';
import { DEED_KINDS } from '#core/deeds.ts';
import type { ObjectCalls } from '#core/objects.ts';
import { PATHS, sessionPath } from '#core/paths.ts';
import { DAY_MS } from '#core/units.ts';
import { Activity } from '#pages/activity.tsx';
import { Message } from '#pages/message.tsx';
import { citedSource } from '#reading/citation-page.ts';
import { openStored } from '#reading/open-stored.ts';
import type { DeedFilter, KeptDeed } from '#storage/history-deeds.ts';
import type { PersonHistory } from '#storage/person-history.ts';
import type { PersonsCalls } from './citation-pages.tsx';
import { asPerson, done, numberIn, visitorOf, withOwnForm } from './console.tsx';
import type { ConsoleDeps, SignedIn } from './console.tsx';
import type { Site } from './site.ts';
import { ACTIVITY_PER_PAGE } from './limits.ts';
import { page } from './page.tsx';

export type ActivityDeps = ConsoleDeps & {
  /** How long activity is kept; 0 for not at all. */
  days: number;
  historyOf: (subject: string) => ObjectCalls<PersonHistory>;
  callsOf: (subject: string, ctx: ExecutionContext) => PersonsCalls;
  /** What clients and access tokens of a person are called, by their ids. */
  namesOf: (subject: string) => Promise<ReadonlyMap<string, string>>;
};

/** `/console/activity`: what a person's models did, and where each line leads. */
export function activityPages(deps: ActivityDeps): Hono<Site> {
  const app = new Hono<Site>();
  app.get(PATHS.activity, (c) => asPerson(c, deps, (person) => show(c, deps, person, null)));
  app.get(PATHS.openDeed, (c) => asPerson(c, deps, (person) => open(c, deps, person)));
  app.post(PATHS.activity, (c) =>
    withOwnForm(c, deps, async (field, person) => {
      const problem = await change(field('do'), deps.historyOf(person.subject));
      return problem === null ? done(c, 'Done', PATHS.activity) : show(c, deps, person, problem);
    }),
  );
  return app;
}

/** @returns why it was not done, or `null` */
async function change(deed: string, history: ObjectCalls<PersonHistory>): Promise<string | null> {
  if (deed === 'forget') await history.forgetDeeds();
  else if (deed === 'on' || deed === 'off') await history.setWish({ activity: deed === 'on' });
  else return 'This form was not from here. Use the buttons below.';
  return null;
}

const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

async function show(c: Context<Site>, deps: ActivityDeps, person: SignedIn, problem: string | null) {
  const { subject } = person;
  const history = deps.historyOf(subject);
  await history.keepFor(deps.days * DAY_MS);
  const chosen = chosenIn(c);
  const [found, choices, names, wish, visitor] = await Promise.all([
    history.deeds(filterOf(chosen), numberIn(c.req.query('before')), ACTIVITY_PER_PAGE),
    history.choices(),
    deps.namesOf(subject),
    history.wish(),
    visitorOf(c, deps, person),
  ]);
  const next = found.next === null ? null : new URLSearchParams({ ...chosen, before: String(found.next) });
  const view = {
    visitor,
    lines: found.deeds,
    choices,
    chosen,
    nameOf: (client: string) => names.get(client) ?? GONE,
    next: next === null ? null : `${PATHS.activity}?${next.toString()}`,
    keeping: { days: deps.days, isWanted: wish.activity },
    problem,
  };
  return page(c, <Activity {...view} />, problem === null ? 200 : 409);
}

const GONE = 'a client that is gone';

type Chosen = { kind: string; client: string; day: string };

/** What the filter asks for; what it cannot mean is as if nothing were asked. */
function chosenIn(c: Context<Site>): Chosen {
  const of = (name: string) => c.req.query(name) ?? '';
  const kind = DEED_KINDS.find((one) => one === of('kind')) ?? '';
  return { kind, client: of('client'), day: DAY.test(of('day')) ? of('day') : '' };
}

function filterOf({ kind, client, day }: Chosen): DeedFilter {
  return {
    kind: DEED_KINDS.find((one) => one === kind),
    client: client === '' ? undefined : client,
    day: day === '' ? undefined : day,
  };
}

/** Leads to what a line is about, as it was then if that is still there. */
async function open(c: Context<Site>, deps: ActivityDeps, { subject }: SignedIn): Promise<Response> {
  const history = deps.historyOf(subject);
  const line = numberIn(c.req.query('line'));
  const deed = line === null ? null : await history.deed(line);
  if (deed === null) return page(c, <Message {...NO_LINE} />, 404);
  const { services } = deps.callsOf(subject, c.env.ctx);
  const place = await placeOf(deed, history, services);
  return place === null ? page(c, <Message {...notThere(deed)} />, 404) : c.redirect(place);
}

async function placeOf(
  { kind, cursor, documentId, lines, words, session, url }: KeptDeed,
  history: ObjectCalls<PersonHistory>,
  services: PersonsCalls['services'],
): Promise<string | null> {
  const source = cursor === null ? 'unknown' : await citedSource(cursor, services);
  if (typeof source === 'object') {
    return citationPath(source.cursor, lines !== null && lines.end < source.lineCount ? lines : null);
  }
  if (cursor !== null && source === 'list') return citationPath(cursor, null);
  const stored = documentId ?? (cursor === null ? null : await history.documentOf(cursor));
  const again = stored === null ? null : await openStored(stored, url, services);
  if (again !== null) return citationPath(again, lines);
  if (kind === 'search' && words !== null) return `${PATHS.store}?${new URLSearchParams({ q: words }).toString()}`;
  return session === null ? null : sessionPath(session);
}

const ACTIVITY = { to: PATHS.activity, label: 'Activity' };
const NO_LINE = {
  title: 'There is no such line',
  text: 'Its time may be over, or it is in the activity of another account.',
  link: ACTIVITY,
};

function notThere({ url }: KeptDeed) {
  const isWeb = url !== null && /^https?:/u.test(url);
  return {
    title: 'This page is not stored any more',
    text: 'Its text was deleted from the store since your model read it.',
    link: isWeb ? { to: url, label: 'Open the page as it is now' } : ACTIVITY,
  };
}
