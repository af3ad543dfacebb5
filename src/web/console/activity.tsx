import { Hono } from 'hono';
import type { Context } from 'hono';
import { citationPath } from '#core/document/citation.ts';
import { ACTIVITY_KINDS } from '#core/activity.ts';
import type { ObjectCalls } from '#core/objects.ts';
import { PATHS, sessionPath } from '#core/paths.ts';
import { DAY_MS } from '#core/limits.ts';
import { oneLine } from '#core/text/text.ts';
import { MessagePage } from '#web/layout.tsx';
import { findCitedSource } from '#reading/cite/citation-page.ts';
import { mintCursorForStored } from '#reading/open/open-whole.ts';
import type { ActivityFilter, StoredActivity } from '#storage/person/activity-log.ts';
import type { PersonHistory } from '#storage/person/person-history.ts';
import type { FindClientNames, PersonCallEnvironment, SiteDeps } from '#web/site-deps.ts';
import { requireSignIn, continueAfterForm, parseNumber, startConsolePage, withVerifiedForm } from './console.tsx';
import { getActivityDoneCode } from '#web/parts/confirm.tsx';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import type { SiteEnv } from '#web/page-response.ts';
import { ACTIVITY_ENTRIES_PER_PAGE, SEARCH_CHARS_MAX } from '#web/limits.ts';
import { formText, respondWithPage } from '#web/page-response.ts';
import { Actions, FilterForm, FormField, Select } from '#web/parts/form.tsx';
import type { ItemAction, SelectOption } from '#web/parts/form.tsx';
import { EmptyListNotice, ItemList } from '#web/parts/list.tsx';
import { ConsolePage } from './console-page.tsx';
import { describeActivityKind, TaskActivity, groupByTask } from './activity-lines.tsx';

/** `/console/activity`: the activity of a user's models, with links to the pages that they read. */
export function activityPages(deps: SiteDeps): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>();
  app.get(PATHS.activity, (c) => requireSignIn(c, deps, (person) => show(c, deps, person, null)));
  app.get(PATHS.openActivity, (c) => requireSignIn(c, deps, (person) => open(c, deps, person)));
  app.post(PATHS.activity, (c) =>
    withVerifiedForm(c, deps, async (form, person) => {
      const problem = await change(formText(form, 'do'), deps.historyOf(person.subject));
      return problem === null
        ? continueAfterForm(c, getActivityDoneCode(formText(form, 'do')), PATHS.activity)
        : show(c, deps, person, problem);
    }),
  );
  return app;
}

/** Deletes the activity, or turns it on or off. @returns the reason for a failure, or `null` */
async function change(deed: string, history: ObjectCalls<PersonHistory>): Promise<string | null> {
  if (deed === 'forget') await history.forgetDeeds();
  else if (deed === 'on' || deed === 'off') await history.setWish({ activity: deed === 'on' });
  else return 'That button is not known. Use the buttons below.';
  return null;
}

const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

async function show(c: Context<SiteEnv>, deps: SiteDeps, person: SignedIn, problem: string | null) {
  const { subject } = person;
  const history = deps.historyOf(subject);
  await history.keepFor(deps.config.ACTIVITY_DAYS * DAY_MS);
  const chosen = chosenIn(c);
  const respond = startConsolePage(c, deps, person);
  const [found, choices, nameOf, wish] = await Promise.all([
    history.deeds(filterOf(chosen), parseNumber(c.req.query('before')), ACTIVITY_ENTRIES_PER_PAGE),
    history.choices(),
    deps.namesOf(subject).then((names) => clientNames(names, history)),
    history.wish(),
  ]);
  const next = found.next === null ? null : new URLSearchParams({ ...chosen, before: String(found.next) });
  const view = {
    lines: found.deeds,
    choices,
    chosen,
    nameOf,
    next: next === null ? null : `${PATHS.activity}?${next.toString()}`,
    keeping: { days: deps.config.ACTIVITY_DAYS, isWanted: wish.activity },
    problem,
  };
  return respond(<Activity {...view} />, problem === null ? 200 : 409);
}

/** Names of clients by ID. A disconnected client appears under the last name that it had here. */
export async function clientNames(
  { callers, ours }: Awaited<ReturnType<FindClientNames>>,
  history: Pick<ObjectCalls<PersonHistory>, 'clients' | 'nameClients'>,
): Promise<(client: string) => string> {
  const used = await history.clients();
  const unnoted = used.flatMap(({ id, name }): [string, string][] => {
    const current = callers.get(id);
    return current === undefined || current === name ? [] : [[id, current]];
  });
  if (unnoted.length > 0) await history.nameClients(unnoted);
  const noted = new Map(used.map(({ id, name }) => [id, name ?? null]));
  return (client) => {
    const last = noted.get(client) ?? null;
    return (
      callers.get(client) ?? ours.get(client) ?? (last === null ? 'a disconnected client' : `${last} (disconnected)`)
    );
  };
}

type Chosen = { q: string; kind: string; client: string; day: string };

function chosenIn(c: Context<SiteEnv>): Chosen {
  const of = (name: string) => c.req.query(name) ?? '';
  const kind = ACTIVITY_KINDS.find((one) => one === of('kind')) ?? '';
  const q = oneLine(of('q'), SEARCH_CHARS_MAX);
  return { q, kind, client: of('client'), day: DAY.test(of('day')) ? of('day') : '' };
}

function filterOf({ q, kind, client, day }: Chosen): ActivityFilter {
  return {
    text: q === '' ? undefined : q,
    kind: ACTIVITY_KINDS.find((one) => one === kind),
    client: client === '' ? undefined : client,
    day: day === '' ? undefined : day,
  };
}

/**
 * Redirects from an activity to its page or session. The page is shown in its version of that time, if it still exists.
 */
async function open(c: Context<SiteEnv>, deps: SiteDeps, { subject }: SignedIn): Promise<Response> {
  const history = deps.historyOf(subject);
  const line = parseNumber(c.req.query('line'));
  const deed = line === null ? null : await history.deed(line);
  if (deed === null) return respondWithPage(c, <MessagePage {...NO_LINE} />, 404);
  const { services } = deps.callsOf(subject, c.env.ctx);
  const address = await addressOf(deed, history, services);
  return address === null ? respondWithPage(c, <MessagePage {...notThere(deed)} />, 404) : c.redirect(address);
}

async function addressOf(
  { kind, cursor, documentId, lines, words, session, url }: StoredActivity,
  history: ObjectCalls<PersonHistory>,
  services: PersonCallEnvironment['services'],
): Promise<string | null> {
  const source = cursor === null ? 'unknown' : await findCitedSource(cursor, services);
  if (typeof source === 'object') {
    return citationPath(source.cursor, lines !== null && lines.end < source.lineCount ? lines : null);
  }
  if (cursor !== null && source === 'list') return citationPath(cursor, null);
  const stored = documentId ?? (cursor === null ? null : await history.documentOf(cursor));
  const again = stored === null ? null : await mintCursorForStored(stored, url, services);
  if (again !== null) return citationPath(again, lines);
  if (kind === 'search' && words !== null) return `${PATHS.store}?${new URLSearchParams({ q: words }).toString()}`;
  return session === null ? null : sessionPath(session);
}

const ACTIVITY = { to: PATHS.activity, label: 'Activity' };
const NO_LINE = {
  title: 'There is no such line',
  text: 'It may have been deleted, or it belongs to another account.',
  link: ACTIVITY,
};

function notThere({ url }: StoredActivity) {
  const isWeb = url !== null && /^https?:/u.test(url);
  return {
    title: 'This page is no longer stored',
    text: 'Its text has been deleted from the store since your model read it.',
    link: isWeb ? { to: url, label: 'Open the page as it is now' } : ACTIVITY,
  };
}

type Props = {
  lines: readonly StoredActivity[];
  choices: { clients: readonly string[]; days: readonly string[] };
  chosen: Chosen;
  nameOf: (client: string) => string;
  next: string | null;
  keeping: { days: number; isWanted: boolean };
  problem: string | null;
};

function Activity(props: Props) {
  const { lines, chosen, next, keeping, problem } = props;
  const isFiltered = Object.values(chosen).some((value) => value !== '');
  return (
    <ConsolePage
      title="Activity"
      at={PATHS.activity}
      lead="Everything that your models searched, read, cited and drove. Only you can see it."
      problem={problem}
    >
      {isFiltered || lines.length > 0 ? <Chooser {...props} /> : null}
      {lines.length === 0 ? <Nothing isFiltered={isFiltered} keeping={keeping} /> : null}
      {groupByTask(lines).map((task) => (
        <TaskActivity lines={task} nameOf={props.nameOf} />
      ))}
      <ItemList items={[]} next={{ to: next, label: 'Older calls' }} />
      <Keeping keeping={keeping} hasLines={lines.length > 0} />
    </ConsolePage>
  );
}

function Nothing({ isFiltered, keeping }: { isFiltered: boolean; keeping: Props['keeping'] }) {
  if (isFiltered) {
    return (
      <EmptyListNotice>
        No calls match. <a href={PATHS.activity}>Show all</a>
      </EmptyListNotice>
    );
  }
  if (keeping.days === 0 || !keeping.isWanted)
    return <EmptyListNotice>Activity is turned off, so there is nothing to show.</EmptyListNotice>;
  return (
    <EmptyListNotice>
      There is nothing yet. <a href="/#connect">Connect a client</a> and ask its model to look something up. Each call
      appears here a moment later, with a link to what the model saw.
    </EmptyListNotice>
  );
}

function Chooser({ choices, chosen, nameOf }: Props) {
  const fields = [
    {
      name: 'kind',
      label: 'What',
      some: ACTIVITY_KINDS.map((kind) => ({ value: kind, text: describeActivityKind(kind) })),
    },
    { name: 'client', label: 'Client', some: choices.clients.map((id) => ({ value: id, text: nameOf(id) })) },
    { name: 'day', label: 'Day (UTC)', some: choices.days.map((day) => ({ value: day, text: day })) },
  ] as const;
  return (
    <FilterForm to={PATHS.activity} submit="Search" role="search">
      <div class="broad">
        <FormField
          name="q"
          label="Title, address or words"
          type="search"
          value={chosen.q}
          maxlength={SEARCH_CHARS_MAX}
        />
      </div>
      {fields.map(({ name, label, some }) => (
        <div>
          <Select name={name} label={label} chosen={chosen[name]} options={new Map([['', [ALL, ...some]]])} />
        </div>
      ))}
    </FilterForm>
  );
}

const ALL: SelectOption = { value: '', text: 'All' };

function Keeping({ keeping: { days, isWanted }, hasLines }: { keeping: Props['keeping']; hasLines: boolean }) {
  if (days === 0) return <p class="note">The owner of this server has turned activity off (ACTIVITY_DAYS).</p>;
  const turn: ItemAction = isWanted
    ? { label: 'Delete all activity and turn it off', sends: { do: 'off' }, asks: 'activityOff' }
    : { label: 'Turn activity on', sends: { do: 'on' } };
  const forget: ItemAction = { label: 'Delete all activity', sends: { do: 'forget' }, asks: 'activity' };
  return (
    <>
      <h2>What is stored</h2>
      <p>
        {isWanted
          ? `Each line is deleted after ${days === 1 ? 'a day' : `${days} days`}. Anything that looks like a password or a key is left out, and so is everything typed into pages.`
          : 'You have turned activity off: what your models do is not stored.'}
      </p>
      <Actions to={PATHS.activity} actions={hasLines ? [forget, turn] : [turn]} />
    </>
  );
}
