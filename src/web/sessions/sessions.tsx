import { Hono } from 'hono';
import type { Context } from 'hono';
import { describeSettings } from '#browsing/tabs/settings.ts';
import { failureMessage } from '#core/failures/describe-failure.ts';
import type { ObjectCalls } from '#core/objects.ts';
import { PATHS, sessionPath } from '#core/paths.ts';
import { redactUrl } from '#core/secrets/secret-addresses.ts';
import { truncateUrl } from '#core/text/text.ts';
import { MessagePage } from '#web/layout.tsx';
import type { PersonHistory, UsedSessionWithPicture } from '#storage/person/person-history.ts';
import {
  requireSignIn,
  continueAfterForm,
  parseNumber,
  startConsolePage,
  withVerifiedForm,
} from '#web/console/console.tsx';
import type { SiteDeps } from '#web/site-deps.ts';
import { getActivityDoneCode } from '#web/parts/confirm.tsx';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import type { SiteEnv } from '#web/page-response.ts';
import { playwrightTest } from './playwright-test.ts';
import { STEPS_PER_PAGE } from '#web/limits.ts';
import { formText, respondWithPage } from '#web/page-response.ts';
import { PageUrlLink } from '#web/public/citation.tsx';
import { ItemList } from '#web/parts/list.tsx';
import type { ListEntry } from '#web/parts/list.tsx';
import { ConsolePage } from '#web/console/console-page.tsx';
import { sessionActions, HandoffRequest, SessionPage, sessionItemState, describeSessionUse } from './session-page.tsx';
import type { ListedSession } from './session-page.tsx';

/** Maximum sessions on a page. Each needs a request to its Durable Object, and a Worker may make 1,000 per request. */
const SESSIONS_SHOWN_MAX = 60;

/** `/console/sessions` and the steps of each session: the browsers of a user's models. */
export function sessionPages(deps: SiteDeps): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>();
  app.get(PATHS.sessions, (c) => requireSignIn(c, deps, (person) => showAll(c, deps, person, null)));
  app.post(PATHS.sessions, (c) =>
    withVerifiedForm(c, deps, async (form, person) => {
      const problem = await end(formText(form, 'name'), deps, person);
      return problem === null ? continueAfterForm(c, 'ended', PATHS.sessions) : showAll(c, deps, person, problem);
    }),
  );
  app.get(PATHS.session, (c) => requireSignIn(c, deps, (person) => showOne(c, deps, person, null)));
  app.post(PATHS.session, (c) =>
    withVerifiedForm(c, deps, async (form, person) => {
      const name = c.req.query('name') ?? '';
      const problem = await change(formText(form, 'do'), name, deps.historyOf(person.subject));
      return problem === null
        ? continueAfterForm(c, getActivityDoneCode(formText(form, 'do')), sessionPath(name))
        : showOne(c, deps, person, problem);
    }),
  );
  app.get(PATHS.stepPicture, (c) => requireSignIn(c, deps, (person) => sendPicture(c, deps, person)));
  app.get(PATHS.sessionTest, (c) => requireSignIn(c, deps, (person) => sendTest(c, deps, person)));
  return app;
}

async function sendTest(c: Context<SiteEnv>, { historyOf }: SiteDeps, { subject }: SignedIn): Promise<Response> {
  const name = c.req.query('name') ?? '';
  const calls = await historyOf(subject).script(name);
  if (calls.length === 0) return respondWithPage(c, <MessagePage {...NO_SESSION} />, 404);
  // Sent as a download, never as a page of this server.
  return c.body(playwrightTest(name, calls), 200, {
    'content-type': 'text/javascript; charset=utf-8',
    'content-disposition': 'attachment; filename="session.spec.js"',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
}

async function end(name: string, { sessionsOf, historyOf }: SiteDeps, { subject }: SignedIn) {
  const failure = await sessionsOf(subject).end(name);
  if (failure !== null) return failureMessage(failure);
  await historyOf(subject).sessionEnded(name);
  return null;
}

async function change(deed: string, name: string, history: ObjectCalls<PersonHistory>): Promise<string | null> {
  if (deed === 'forget') await history.forgetSteps(name);
  else if (deed === 'on' || deed === 'off') await history.setWish({ pictures: deed === 'on' });
  else return 'That button is not known. Use the buttons below.';
  return null;
}

async function showAll(c: Context<SiteEnv>, deps: SiteDeps, person: SignedIn, problem: string | null) {
  const respond = startConsolePage(c, deps, person);
  const sessions = await listedSessions(deps, person.subject);
  const view = { sessions, hasBrowser: deps.hasBrowser, problem };
  return respond(<Sessions {...view} />, problem === null ? 200 : 409);
}

export type ListedSessionsDeps = Pick<SiteDeps, 'historyOf' | 'openNames' | 'sessionsOf'>;

/** Lists open and parked sessions before ended ones, each group by last use. */
export async function listedSessions(deps: ListedSessionsDeps, subject: string): Promise<ListedSession[]> {
  const history = deps.historyOf(subject);
  const [used, open] = await Promise.all([history.sessions(), deps.openNames(subject)]);
  const isOpen = new Set(open);
  const uses = [...usesOfNames(open, used), ...used.filter(({ name }) => !isOpen.has(name))];
  const all = uses.slice(0, SESSIONS_SHOWN_MAX);
  const found = await Promise.all(all.map((use) => listed(use, deps, subject)));
  return found.filter((session) => session !== null);
}

export async function openSessions(deps: SiteDeps, subject: string): Promise<ListedSession[]> {
  const [used, open] = await Promise.all([deps.historyOf(subject).sessions(), deps.openNames(subject)]);
  const found = await Promise.all(usesOfNames(open, used).map((use) => listed(use, deps, subject)));
  return found
    .flatMap((one) => (one?.state === 'open' ? [one] : []))
    .toSorted((one, other) => other.usedAt - one.usedAt);
}

/** Reads the data that a list shows for a session. @returns `null` if nothing about the session is stored any more */
async function listed(
  { name, usedAt, url, title, picture: newest, hasSteps }: UsedSessionWithPicture,
  { sessionsOf: portOf, historyOf }: Pick<SiteDeps, 'historyOf' | 'sessionsOf'>,
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
    return {
      ...last,
      state: 'ended',
      isDriven: false,
      asked: null,
      urls,
      usedAt,
      restsAt: null,
      paidMs: 0,
      sees: null,
    };
  }
  const { state, isDriven, asked, tabs, restsAt, paidMs, settings } = overview;
  const sees = describeSettings(settings).join(', ');
  const urls = tabs.map((tab) => truncateUrl(redactUrl(tab.url)));
  const shown = urls.length > 0 || url === null ? urls : [url];
  return { ...last, state, isDriven, asked, urls: shown, usedAt: overview.usedAt, restsAt, paidMs, sees };
}

function usesOfNames(names: readonly string[], used: readonly UsedSessionWithPicture[]): UsedSessionWithPicture[] {
  return names
    .map((name) => used.find((one) => one.name === name) ?? unknownSession(name))
    .toSorted((one, other) => other.usedAt - one.usedAt);
}

function unknownSession(name: string): UsedSessionWithPicture {
  return { name, usedAt: 0, url: null, title: null, picture: null, hasSteps: false };
}

async function showOne(c: Context<SiteEnv>, deps: SiteDeps, person: SignedIn, problem: string | null) {
  const name = c.req.query('name') ?? '';
  const history = deps.historyOf(person.subject);
  const [used, found, wish] = await Promise.all([
    history.sessions(),
    history.steps(name, parseNumber(c.req.query('before')), STEPS_PER_PAGE),
    history.wish(),
  ]);
  const use = used.find((one) => one.name === name) ?? unknownSession(name);
  const session = await listed(use, deps, person.subject);
  if (session === null) return respondWithPage(c, <MessagePage {...NO_SESSION} />, 404);
  const next = found.next === null ? null : `${sessionPath(name)}&before=${found.next}`;
  const pictures = { isOffered: deps.config.STEP_PICTURES, isWanted: wish.pictures };
  const respond = startConsolePage(c, deps, person);
  const view = { session, steps: found.steps, next, pictures, problem };
  return respond(<SessionPage {...view} />, problem === null ? 200 : 409);
}

const PICTURE = /^[\da-f-]{36}$/;

async function sendPicture(c: Context<SiteEnv>, { historyOf }: SiteDeps, { subject }: SignedIn): Promise<Response> {
  const id = c.req.query('id') ?? '';
  const jpeg = PICTURE.test(id) ? await historyOf(subject).picture(id) : null;
  if (jpeg === null) return respondWithPage(c, <MessagePage {...NO_PICTURE} />, 404);
  return c.body(jpeg.slice().buffer, 200, { 'content-type': 'image/jpeg' });
}

const SESSIONS = { to: PATHS.sessions, label: 'Sessions' };
const NO_SESSION = {
  title: 'No such session',
  text: 'It has ended and its steps are deleted, or it belongs to another account.',
  link: SESSIONS,
};
const NO_PICTURE = { title: 'No such picture', text: 'Pictures of steps are stored for a week.', link: SESSIONS };

type SessionsProps = {
  sessions: readonly ListedSession[];
  hasBrowser: boolean;
  problem: string | null;
};

function Sessions({ sessions, hasBrowser, problem }: SessionsProps) {
  return (
    <ConsolePage
      title="Sessions"
      at={PATHS.sessions}
      lead="The browsers your models use. Each has its own cookies and pages, which only you and your models can reach."
      problem={problem}
    >
      <ItemList to={PATHS.sessions} items={sessions.map(sessionItem)} none={<Nothing hasBrowser={hasBrowser} />} />
    </ConsolePage>
  );
}

function Nothing({ hasBrowser }: { hasBrowser: boolean }) {
  return hasBrowser ? (
    <>
      No sessions yet. <a href="/#connect">Connect a client</a>, allow <code>browser:use</code>, and ask its model to
      open a page in the browser. You can then watch it here and take over.
    </>
  ) : (
    <>This server has no browser. Its owner can turn it on with RENDER_ENABLED.</>
  );
}

export function sessionItem(session: ListedSession): ListEntry {
  const { name, urls, title, picture } = session;
  return {
    ...sessionActions(session),
    picture: { step: picture, to: sessionPath(name), alt: `Last picture of the session ${name}`, without: null },
    name: <a href={sessionPath(name)}>{name}</a>,
    state: sessionItemState(session),
    body: (
      <>
        <HandoffRequest session={session} />
        {title === null ? null : (
          <p>
            <bdi>{title}</bdi>
          </p>
        )}
      </>
    ),
    facts: [...urls.map((url) => <PageUrlLink url={url} />), ...describeSessionUse(session)],
  };
}
