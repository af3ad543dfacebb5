import type { Role } from '#auth/people/account.ts';
import { MINUTE_MS } from '#core/limits.ts';
import { PATHS } from '#core/paths.ts';
import { PRICES_OF, roughDollars } from '#core/prices.ts';
import type { DecidedPerson, Invitation } from '#storage/admissions.ts';
import { FormField, Form } from '#web/parts/form.tsx';
import type { Action } from '#web/parts/form.tsx';
import { ItemList } from '#web/parts/list.tsx';
import type { Item } from '#web/parts/list.tsx';
import { Timestamp } from '#web/parts/timestamp.tsx';
import { ConsolePage } from '#web/console/console-page.tsx';
import type { Visitor } from '#web/console/console-page.tsx';
import { Copyable, CopyScript } from '#web/copyable.tsx';
import { FOCUS_ON_LOAD } from '#web/layout.tsx';

/** Times in ms. */
export type ListedPerson = {
  subject: string;
  /** Under which the owner's decision on them is stored. */
  decisionId: string;
  name: string;
  /** `null`: may not sign in. */
  role: Role | null;
  isSelf: boolean;
  seenAt: number;
  lastDay: { calls: number; searches: number; browserMs: number };
  /** As far as they keep their activity. */
  callsOfMonth: number;
};

type Props = {
  visitor: Visitor;
  people: readonly (ListedPerson & { decision: DecidedPerson | null })[];
  /** On whom something is decided, and who are not on this page. */
  others: readonly (DecidedPerson & { name: string | null })[];
  invitations: readonly Invitation[];
  /** `ALLOWED_USERS`. */
  allowed: readonly string[];
  providers: readonly string[];
  next: string | null;
  noteMax: number;
  problem: string | null;
  /** An invitation that was made just now. */
  link: { to: string; note: string } | null;
};

/** `/console/people`: who may sign in, who did, and what the owner can do about it. */
export function People(props: Props) {
  const { visitor, people, others, problem, link, next } = props;
  return (
    <ConsolePage
      visitor={visitor}
      title="People"
      at={PATHS.people}
      lead="Who may sign in to this server, who did, and roughly what they use."
      problem={problem}
    >
      {link === null ? null : <NewLink {...link} />}
      <h2>Who has signed in</h2>
      <ItemList
        to={PATHS.people}
        items={people.map(personItem)}
        none="Nobody yet."
        next={{ to: next, label: 'More people' }}
      />
      <p class="note">
        The cost is what Cloudflare would bill for the last 24 hours if the plan included nothing, at its prices of{' '}
        {PRICES_OF}. It is an upper estimate; calls are counted in blocks. Search services bill on their own. The 30-day
        count comes from people’s activity logs; it is 0 for anyone who has turned theirs off.
      </p>
      {others.length === 0 ? null : (
        <>
          <h2>Your decisions on others</h2>
          <ItemList to={PATHS.people} items={others.map(decisionItem)} />
        </>
      )}
      <Invitations {...props} />
      <Allowed {...props} />
    </ConsolePage>
  );
}

function NewLink({ to, note }: { to: string; note: string }) {
  return (
    <div class="done" role="status" {...FOCUS_ON_LOAD}>
      <p>
        Send this link to <bdi>{note}</bdi>. It works once and expires after seven days. It is shown only now.
      </p>
      <Copyable text={to} what="the invitation link" />
      <CopyScript />
    </div>
  );
}

function personItem(person: Props['people'][number]): Item {
  const { name, role, seenAt, isSelf, decision, callsOfMonth } = person;
  return {
    about: name,
    name: <bdi>{name}</bdi>,
    state: { text: stateOf(person), looks: role === null ? 'doubt' : 'state' },
    facts: [
      decision === null || decision.note === null ? null : (
        <>
          invited as <bdi>{decision.note}</bdi>
        </>
      ),
      <>
        last seen <Timestamp at={seenAt} precise />
      </>,
      useInWords(person),
      `${callsOfMonth.toLocaleString('en')} ${callsOfMonth === 1 ? 'call' : 'calls'} in the last 30 days`,
    ],
    link: isSelf ? { to: PATHS.account, label: 'Your account' } : null,
    actions: isSelf || role === 'owner' ? [] : actionsOn(person),
  };
}

/** Owners are left to themselves. */
function actionsOn({ subject, decision }: Props['people'][number]): Action[] {
  return [
    decision?.verdict === 'refused'
      ? { label: 'Let in again', sends: { do: 'readmit', id: decision.id } }
      : { label: 'End access', sends: { do: 'refuse', subject }, asks: 'refuse' },
    { label: 'Delete data', sends: { do: 'erase', subject }, asks: 'erase' },
  ];
}

function stateOf({ role, isSelf, decision }: Props['people'][number]): string {
  if (role === 'owner') return isSelf ? 'you' : 'owner';
  if (role === 'user') return decision?.verdict === 'allowed' ? 'invited' : 'may sign in';
  return decision?.verdict === 'refused' ? 'access ended' : 'may not sign in';
}

function useInWords({ lastDay: { calls, searches, browserMs } }: ListedPerson): string {
  if (calls + searches + browserMs === 0) return 'nothing used in the last 24 hours';
  const counted = [
    `${calls.toLocaleString('en')} ${calls === 1 ? 'call' : 'calls'}`,
    ...(searches === 0 ? [] : [`${searches.toLocaleString('en')} ${searches === 1 ? 'search' : 'searches'}`]),
    ...(browserMs === 0 ? [] : [`${Math.ceil(browserMs / MINUTE_MS).toLocaleString('en')} min of browser`]),
  ].join(', ');
  const dollars = roughDollars({ calls, browserMs });
  return `last 24 hours: up to ${counted}, ${dollars < 0.01 ? 'less than $0.01' : `about $${dollars.toFixed(2)}`}`;
}

function decisionItem({ id, name, note, verdict, decidedAt }: Props['others'][number]): Item {
  const isRefused = verdict === 'refused';
  return {
    about: name ?? 'a person whose data is deleted',
    name: <bdi>{name ?? 'A person whose data is deleted'}</bdi>,
    state: isRefused ? { text: 'access ended', looks: 'doubt' } : { text: 'invited', looks: 'state' },
    facts: [
      <>
        {note === null ? null : (
          <>
            invited as <bdi>{note}</bdi>,{' '}
          </>
        )}
        decided <Timestamp at={decidedAt} />
      </>,
    ],
    actions: isRefused ? [{ label: name === null ? 'Take back' : 'Let in again', sends: { do: 'readmit', id } }] : [],
  };
}

function Invitations({ invitations, providers, noteMax }: Props) {
  return (
    <>
      <h2>Invitations</h2>
      {providers.length === 0 ? (
        <p>
          To invite people, first set up sign-in with GitHub (<code>GITHUB_CLIENT_ID</code>) or with another provider (
          <code>OIDC_ISSUER</code>).
        </p>
      ) : (
        <Form to={PATHS.people} submit="Create invitation" sends={{ do: 'invite' }}>
          <FormField name="note" label="Who is the invitation for?" required maxlength={noteMax} autocomplete="off" />
          <p class="note">
            Whoever opens the link signs in with {providers.join(' or ')}, and may sign in from then on. It works once,
            for seven days.
          </p>
        </Form>
      )}
      <ItemList to={PATHS.people} items={invitations.map(invitationItem)} />
    </>
  );
}

function invitationItem({ id, note, expiresAt }: Invitation): Item {
  return {
    about: note,
    name: <bdi>{note}</bdi>,
    facts: [
      <>
        open until <Timestamp at={expiresAt} precise />
      </>,
    ],
    actions: [{ label: 'Withdraw', sends: { do: 'withdraw', id }, asks: 'withdraw' }],
  };
}

function Allowed({ allowed, providers }: Pick<Props, 'allowed' | 'providers'>) {
  if (providers.length === 0) return null;
  return (
    <>
      <h2>Who may sign in without an invitation</h2>
      {allowed.length === 0 ? (
        <p>
          Nobody: <code>ALLOWED_USERS</code> is empty.
        </p>
      ) : (
        <ul>
          {allowed.map((entry) => (
            <li>
              <code>{entry}</code>
            </li>
          ))}
        </ul>
      )}
      <p class="note">
        This list is the setting <code>ALLOWED_USERS</code>. Your decisions here override it.
      </p>
    </>
  );
}
