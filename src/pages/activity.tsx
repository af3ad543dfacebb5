import { DEED_KINDS } from '#core/deeds.ts';
import type { Deed, DeedKind } from '#core/deeds.ts';
import { PATHS, sessionPath } from '#core/paths.ts';
import { Address, inWords } from './citation.tsx';
import { ConsolePage, Deed as Button, Problem } from './console-page.tsx';
import type { Visitor } from './console-page.tsx';
import { Moment } from './moment.tsx';

type Line = Deed & { seq: number };

type Props = {
  visitor: Visitor;
  lines: readonly Line[];
  /** Clients and days to choose from, and what was chosen; empty for all. */
  choices: { clients: readonly string[]; days: readonly string[] };
  chosen: { kind: string; client: string; day: string };
  /** What clients are called. */
  nameOf: (client: string) => string;
  /** Where older lines are, if there are more. */
  next: string | null;
  /** Whether the deployment and the person want it kept, and for how long. */
  keeping: { days: number; isWanted: boolean };
  problem: string | null;
};

/** `/console/activity`: what a person's models did. */
export function Activity(props: Props) {
  const { visitor, lines, chosen, next, keeping, problem } = props;
  const isFiltered = Object.values(chosen).some((value) => value !== '');
  return (
    <ConsolePage visitor={visitor} title="Activity" at={PATHS.activity}>
      <p class="lead">What your models searched, read, cited and drove. Nobody else can see it.</p>
      <Problem text={problem} />
      {isFiltered || lines.length > 0 ? <Filter {...props} /> : null}
      {lines.length === 0 ? <Nothing isFiltered={isFiltered} keeping={keeping} /> : null}
      <ul class="cards">
        {lines.map((line) => (
          <Row line={line} nameOf={props.nameOf} />
        ))}
      </ul>
      {next === null ? null : (
        <p>
          <a href={next}>Older lines</a>
        </p>
      )}
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
        options={DEED_KINDS.map((kind) => [kind, WORDS[kind].plural])}
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

const WORDS: Record<DeedKind, { done: string; plural: string }> = {
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
          <Moment at={at} precise /> · {WORDS[kind].done} · <code>{tool}</code>
          {error === null ? null : (
            <>
              {' '}
              · <span class="doubt">failed: {error}</span>
            </>
          )}
        </p>
        <p>
          <About line={line} />
          {lines === null ? null : <span class="facts"> {inWords(lines)}</span>}
        </p>
        {url === null ? null : (
          <p class="facts">
            <Address url={url} />
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

/** What the line is about, leading there. */
function About({ line }: { line: Line }) {
  const { kind, title, words, url, session, error } = line;
  const what = kind === 'search' || title === null ? words : null;
  const label = what === null ? (title ?? url ?? session ?? line.tool) : `“${what}”`;
  if (!leadsOn(line) || error !== null) return <bdi>{label}</bdi>;
  return (
    <a href={`${PATHS.openDeed}?line=${line.seq}`}>
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
          <Button to={PATHS.activity} form={form} fields={{ do: 'forget' }} label="Delete all lines" />
        ) : null}
        <Button
          to={PATHS.activity}
          form={form}
          fields={{ do: isWanted ? 'off' : 'on' }}
          label={isWanted ? 'Delete all and stop keeping them' : 'Keep activity again'}
        />
      </div>
    </>
  );
}
