import { Hono } from 'hono';
import type { Context } from 'hono';
import { citationPath } from '#core/document/citation.ts';
import { ACTIVITY_KINDS } from '#core/activity.ts';
import type { ObjectCalls } from '#core/objects.ts';
import { PATHS, sessionPath } from '#core/paths.ts';
import { DAY_MS } from '#core/limits.ts';
import { Message } from '#web/layout.tsx';
import { sourceOfCursor } from '#reading/cite/citation-page.ts';
import { openStored } from '#reading/open/open-whole.ts';
import type { ActivityFilter, StoredActivity } from '#storage/person/activity-log.ts';
import type { PersonHistory } from '#storage/person/person-history.ts';
import type { PersonCallEnvironment } from '#web/public/citation-pages.tsx';
import { requireSignIn, continueTo, parseNumber, consoleVisitor, withVerifiedForm } from './console.tsx';
import type { ConsoleDeps } from './console.tsx';
import { doneOf } from './confirm.tsx';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import type { Site } from '#web/answers.ts';
import { ACTIVITY_PER_PAGE } from '#web/limits.ts';
import { fieldOf, page } from '#web/answers.ts';
import type { Activity, ActivityKind } from '#core/activity.ts';
import { PageAddress, lineRangeText } from '#web/public/citation.tsx';
import { ConsolePage, ActionForm as Button, Timestamp, FormProblem, NextLink } from './console-page.tsx';
import type { Visitor } from './console-page.tsx';

type ActivityDeps = ConsoleDeps & {
  /** How many days activity is kept; 0 for not at all. */
  days: number;
  historyOf: (subject: string) => ObjectCalls<PersonHistory>;
  callsOf: (subject: string, ctx: ExecutionContext) => PersonCallEnvironment;
  /** Names of a person's clients and access tokens, by id. */
  namesOf: (subject: string) => Promise<ReadonlyMap<string, string>>;
};

/** `/console/activity`: what a person's models did, with links to it. */
export function activityPages(deps: ActivityDeps): Hono<Site> {
  const app = new Hono<Site>();
  app.get(PATHS.activity, (c) => requireSignIn(c, deps, (person) => show(c, deps, person, null)));
  app.get(PATHS.openActivity, (c) => requireSignIn(c, deps, (person) => open(c, deps, person)));
  app.post(PATHS.activity, (c) =>
    withVerifiedForm(c, deps, async (form, person) => {
      const problem = await change(fieldOf(form, 'do'), deps.historyOf(person.subject));
      return problem === null
        ? continueTo(c, doneOf(fieldOf(form, 'do')), PATHS.activity)
        : show(c, deps, person, problem);
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
    history.deeds(filterOf(chosen), parseNumber(c.req.query('before')), ACTIVITY_PER_PAGE),
    history.choices(),
    deps.namesOf(subject),
    history.wish(),
    consoleVisitor(c, deps, person),
  ]);
  const next = found.next === null ? null : new URLSearchParams({ ...chosen, before: String(found.next) });
  const view = {
    visitor,
    lines: found.deeds,
    choices,
    chosen,
    nameOf: (client: string) => names.get(client) ?? UNKNOWN_CLIENT,
    next: next === null ? null : `${PATHS.activity}?${next.toString()}`,
    keeping: { days: deps.days, isWanted: wish.activity },
    problem,
  };
  return page(c, <Activity {...view} />, problem === null ? 200 : 409);
}

const UNKNOWN_CLIENT = 'a client that is gone';

type Chosen = { kind: string; client: string; day: string };

/** Reads the filter. Invalid values count as not given. */
function chosenIn(c: Context<Site>): Chosen {
  const of = (name: string) => c.req.query(name) ?? '';
  const kind = ACTIVITY_KINDS.find((one) => one === of('kind')) ?? '';
  return { kind, client: of('client'), day: DAY.test(of('day')) ? of('day') : '' };
}

function filterOf({ kind, client, day }: Chosen): ActivityFilter {
  return {
    kind: ACTIVITY_KINDS.find((one) => one === kind),
    client: client === '' ? undefined : client,
    day: day === '' ? undefined : day,
  };
}

/** Redirects to the subject of a line, as it was then if that still exists. */
async function open(c: Context<Site>, deps: ActivityDeps, { subject }: SignedIn): Promise<Response> {
  const history = deps.historyOf(subject);
  const line = parseNumber(c.req.query('line'));
  const deed = line === null ? null : await history.deed(line);
  if (deed === null) return page(c, <Message {...NO_LINE} />, 404);
  const { services } = deps.callsOf(subject, c.env.ctx);
  const address = await addressOf(deed, history, services);
  return address === null ? page(c, <Message {...notThere(deed)} />, 404) : c.redirect(address);
}

async function addressOf(
  { kind, cursor, documentId, lines, words, session, url }: StoredActivity,
  history: ObjectCalls<PersonHistory>,
  services: PersonCallEnvironment['services'],
): Promise<string | null> {
  const source = cursor === null ? 'unknown' : await sourceOfCursor(cursor, services);
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

function notThere({ url }: StoredActivity) {
  const isWeb = url !== null && /^https?:/u.test(url);
  return {
    title: 'This page is not stored any more',
    text: 'Its text was deleted from the store since your model read it.',
    link: isWeb ? { to: url, label: 'Open the page as it is now' } : ACTIVITY,
  };
}

type Line = Activity & { seq: number };

type Props = {
  visitor: Visitor;
  lines: readonly Line[];
  choices: { clients: readonly string[]; days: readonly string[] };
  chosen: { kind: string; client: string; day: string };
  nameOf: (client: string) => string;
  /** Link to older lines, if there are more. */
  next: string | null;
  keeping: { days: number; isWanted: boolean };
  problem: string | null;
};

function Activity(props: Props) {
  const { visitor, lines, chosen, next, keeping, problem } = props;
  const isFiltered = Object.values(chosen).some((value) => value !== '');
  return (
    <ConsolePage visitor={visitor} title="Activity" at={PATHS.activity}>
      <p class="lead">What your models searched, read, cited and drove. Nobody else can see it.</p>
      <FormProblem text={problem} />
      {isFiltered || lines.length > 0 ? <Filter {...props} /> : null}
      {lines.length === 0 ? <Nothing isFiltered={isFiltered} keeping={keeping} /> : null}
      <ul class="cards">
        {lines.map((line) => (
          <Row line={line} nameOf={props.nameOf} />
        ))}
      </ul>
      <NextLink to={next} label="Older lines" />
      <Keeping keeping={keeping} hasLines={lines.length > 0} form={visitor.form} />
    </ConsolePage>
  );
}

function Nothing({ isFiltered, keeping }: { isFiltered: boolean; keeping: Props['keeping'] }) {
  if (isFiltered) {
    return (
      <p>
        No line fits. <a href={PATHS.activity}>Show all</a>
      </p>
    );
  }
  if (keeping.days === 0 || !keeping.isWanted) return <p>Nothing is kept.</p>;
  return (
    <p>
      There is nothing yet. <a href="/#connect">Connect a client</a> and ask its model to look something up: each call
      appears here a moment later.
    </p>
  );
}

function Filter({ choices, chosen, nameOf }: Props) {
  return (
    <form method="get" action={PATHS.activity} class="filter">
      <Choice
        name="kind"
        label="What"
        chosen={chosen.kind}
        options={ACTIVITY_KINDS.map((kind) => [kind, WORDS[kind].plural])}
      />
      <Choice
        name="client"
        label="Client"
        chosen={chosen.client}
        options={choices.clients.map((client) => [client, nameOf(client)])}
      />
      <Choice name="day" label="Day (UTC)" chosen={chosen.day} options={choices.days.map((day) => [day, day])} />
      <button type="submit">Show</button>
    </form>
  );
}

function Choice(props: { name: string; label: string; chosen: string; options: readonly (readonly string[])[] }) {
  const { name, label, chosen, options } = props;
  return (
    <div>
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        <option value="">All</option>
        {options.map(([value = '', text = '']) => (
          <option value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

const WORDS: Record<ActivityKind, { done: string; plural: string }> = {
  read: { done: 'Read', plural: 'Pages read' },
  search: { done: 'Searched', plural: 'Searches' },
  cite: { done: 'Cited', plural: 'Citations' },
  browse: { done: 'Browser', plural: 'Browser calls' },
  purge: { done: 'Purged', plural: 'Pages purged' },
};

function Row({ line, nameOf }: { line: Line; nameOf: Props['nameOf'] }) {
  const { at, kind, tool, url, client, session, lines, ms, error } = line;
  return (
    <li>
      <div>
        <p class="facts">
          <Timestamp at={at} precise /> · {WORDS[kind].done} · <code>{tool}</code>
          {error === null ? null : (
            <>
              {' '}
              · <span class="doubt">failed: {error}</span>
            </>
          )}
        </p>
        <p>
          <About line={line} />
          {lines === null ? null : <span class="facts"> {lineRangeText(lines)}</span>}
        </p>
        {url === null ? null : (
          <p class="facts">
            <PageAddress url={url} />
          </p>
        )}
        <p class="facts">
          <bdi>{nameOf(client)}</bdi> · {ms} ms
          {session === null ? null : (
            <>
              {' '}
              · session <a href={sessionPath(session)}>{session}</a>
            </>
          )}
        </p>
      </div>
    </li>
  );
}

function About({ line }: { line: Line }) {
  const { kind, title, words, url, session, error } = line;
  const what = kind === 'search' || title === null ? words : null;
  const label = what === null ? (title ?? url ?? session ?? line.tool) : `“${what}”`;
  if (!leadsOn(line) || error !== null) return <bdi>{label}</bdi>;
  return (
    <a href={`${PATHS.openActivity}?line=${line.seq}`}>
      <bdi>{label}</bdi>
    </a>
  );
}

function leadsOn({ kind, cursor, documentId, session }: Line): boolean {
  return kind === 'search' || cursor !== null || documentId !== null || session !== null;
}

function Keeping({ keeping, hasLines, form }: { keeping: Props['keeping']; hasLines: boolean; form: string }) {
  const { days, isWanted } = keeping;
  if (days === 0) return <p class="note">The owner of this server has switched activity off (ACTIVITY_DAYS).</p>;
  return (
    <>
      <h2>What is kept</h2>
      <p>
        {isWanted
          ? `Each line goes after ${days === 1 ? 'a day' : `${days} days`}. Addresses and words are kept without what looks like a password or a key, and nothing of what was typed into pages.`
          : 'You have switched it off: what your models do is not kept.'}
      </p>
      <div class="actions">
        {hasLines ? (
          <Button
            to={PATHS.activity}
            form={form}
            fields={{ do: 'forget' }}
            label="Delete all activity"
            confirm="activity"
          />
        ) : null}
        <Button
          to={PATHS.activity}
          form={form}
          fields={{ do: isWanted ? 'off' : 'on' }}
          label={isWanted ? 'Delete all activity and turn it off' : 'Turn activity on'}
          confirm={isWanted ? 'activityOff' : undefined}
        />
      </div>
    </>
  );
}
