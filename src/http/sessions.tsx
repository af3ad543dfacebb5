import { Hono } from 'hono';
import type { Context } from 'hono';
import type { LivePort } from '#browsing/live-port.ts';
import { describeFailure } from '#core/describe-failure.ts';
import type { ObjectCalls } from '#core/objects.ts';
import { PATHS, sessionPath } from '#core/paths.ts';
import { redactUrl } from '#core/secret-addresses.ts';
import { boundedAddress } from '#core/text.ts';
import { Message } from '#pages/message.tsx';
import { Session } from '#pages/session.tsx';
import { Sessions } from '#pages/sessions.tsx';
import type { ListedSession } from '#pages/sessions.tsx';
import type { PersonHistory, SessionUse } from '#storage/person-history.ts';
import { asPerson, done, numberIn, visitorOf, withOwnForm } from './console.tsx';
import type { ConsoleDeps, SignedIn } from './console.tsx';
import type { Site } from './site.ts';
import { SESSIONS_SHOWN_MAX, STEPS_PER_PAGE } from './limits.ts';
import { page } from './page.tsx';

export type SessionsDeps = ConsoleDeps & {
  hasBrowser: boolean;
  /** Whether this deployment keeps pictures. */
  hasPictures: boolean;
  historyOf: (subject: string) => ObjectCalls<PersonHistory>;
  sessionsOf: (subject: string) => Pick<LivePort, 'overview' | 'end'>;
  /** Names of the person's sessions that have a browser now. */
  openNames: (subject: string) => Promise<readonly string[]>;
};

/** `/console/sessions` and the steps of each: the browsers of a person's models. */
export function sessionPages(deps: SessionsDeps): Hono<Site> {
  const app = new Hono<Site>();
  app.get(PATHS.sessions, (c) => asPerson(c, deps, (person) => showAll(c, deps, person, null)));
  app.post(PATHS.sessions, (c) =>
    withOwnForm(c, deps, async (field, person) => {
      const problem = await end(field('name'), deps, person);
      return problem === null ? done(c, 'Ended', PATHS.sessions) : showAll(c, deps, person, problem);
    }),
  );
  app.get(PATHS.session, (c) => asPerson(c, deps, (person) => showOne(c, deps, person, null)));
  app.post(PATHS.session, (c) =>
    withOwnForm(c, deps, async (field, person) => {
      const name = c.req.query('name') ?? '';
      const problem = await change(field('do'), name, deps.historyOf(person.subject));
      return problem === null ? done(c, 'Done', sessionPath(name)) : showOne(c, deps, person, problem);
    }),
  );
  app.get(PATHS.stepPicture, (c) => asPerson(c, deps, (person) => picture(c, deps, person)));
  return app;
}

async function end(name: string, { sessionsOf, historyOf }: SessionsDeps, { subject }: SignedIn) {
  const failure = await sessionsOf(subject).end(name);
  if (failure !== null) return describeFailure(failure).message;
  await historyOf(subject).sessionEnded(name);
  return null;
}

async function change(deed: string, name: string, history: ObjectCalls<PersonHistory>): Promise<string | null> {
  if (deed === 'forget') await history.forgetSteps(name);
  else if (deed === 'on' || deed === 'off') await history.setWish({ pictures: deed === 'on' });
  else return 'This form was not from here. Use the buttons below.';
  return null;
}

async function showAll(c: Context<Site>, deps: SessionsDeps, person: SignedIn, problem: string | null) {
  const [sessions, visitor] = await Promise.all([listedSessions(deps, person), visitorOf(c, deps, person)]);
  const view = { visitor, sessions, hasBrowser: deps.hasBrowser, problem };
  return page(c, <Sessions {...view} />, problem === null ? 200 : 409);
}

/** Those that models used lately, and those that are open: the last used first. */
async function listedSessions(deps: SessionsDeps, { subject }: SignedIn): Promise<ListedSession[]> {
  const history = deps.historyOf(subject);
  const [used, open] = await Promise.all([history.sessions(), deps.openNames(subject)]);
  const known = new Set(used.map(({ name }) => name));
  const all = [...open.filter((name) => !known.has(name)).map(unknownSession), ...used].slice(0, SESSIONS_SHOWN_MAX);
  const found = await Promise.all(all.map((use) => listed(use, deps, subject)));
  return found.filter((session) => session !== null);
}

/** @returns `null` for one of which nothing is left */
async function listed(
  { name, usedAt, url, title, picture: newest, hasSteps }: SessionUse,
  { sessionsOf: portOf, historyOf }: SessionsDeps,
  subject: string,
): Promise<ListedSession | null> {
  const overview = await portOf(subject).overview(name);
  const last = { name, title, picture: newest };
  if (overview === null) {
    if (!hasSteps) {
      await historyOf(subject).sessionEnded(name);
      return null;
    }
    const urls = url === null ? [] : [url];
    return { ...last, state: 'ended', isDriven: false, asked: null, urls, usedAt, restsAt: null, paidMs: 0 };
  }
  const { state, isDriven, asked = null, tabs, restsAt, paidMs } = overview;
  const urls = tabs.map((tab) => boundedAddress(redactUrl(tab.url)));
  const shown = urls.length > 0 || url === null ? urls : [url];
  return { ...last, state, isDriven, asked, urls: shown, usedAt: overview.usedAt, restsAt, paidMs };
}

function unknownSession(name: string): SessionUse {
  return { name, usedAt: 0, url: null, title: null, picture: null, hasSteps: false };
}

async function showOne(c: Context<Site>, deps: SessionsDeps, person: SignedIn, problem: string | null) {
  const name = c.req.query('name') ?? '';
  const history = deps.historyOf(person.subject);
  const [used, found, wish] = await Promise.all([
    history.sessions(),
    history.steps(name, numberIn(c.req.query('before')), STEPS_PER_PAGE),
    history.wish(),
  ]);
  const use = used.find((one) => one.name === name) ?? unknownSession(name);
  const session = await listed(use, deps, person.subject);
  if (session === null) return page(c, <Message {...NO_SESSION} />, 404);
  const next = found.next === null ? null : `${sessionPath(name)}&before=${found.next}`;
  const pictures = { isOffered: deps.hasPictures, isWanted: wish.pictures };
  const visitor = await visitorOf(c, deps, person);
  const view = { visitor, session, steps: found.steps, next, pictures, problem };
  return page(c, <Session {...view} />, problem === null ? 200 : 409);
}

const PICTURE = /^[\da-f-]{36}$/;

async function picture(c: Context<Site>, { historyOf }: SessionsDeps, { subject }: SignedIn): Promise<Response> {
  const id = c.req.query('id') ?? '';
  const jpeg = PICTURE.test(id) ? await historyOf(subject).picture(id) : null;
  if (jpeg === null) return page(c, <Message {...NO_PICTURE} />, 404);
  return c.body(jpeg.slice().buffer, 200, { 'content-type': 'image/jpeg' });
}

const SESSIONS = { to: PATHS.sessions, label: 'Sessions' };
const NO_SESSION = {
  title: 'No such session',
  text: 'It was ended and its steps are gone, or it belongs to another account than the one you are signed in with.',
  link: SESSIONS,
};
const NO_PICTURE = { title: 'No such picture', text: 'Pictures of steps are kept for a week.', link: SESSIONS };
