import type { Role } from '#auth/people/account.ts';
import { MINUTE_MS } from '#core/limits.ts';
import { isLoopbackHost } from '#core/config/config.ts';
import { callbackPath, PATHS } from '#core/paths.ts';
import { REPOSITORY } from '#generated/about.ts';
import { PRICES_AS_OF, estimateDollars } from '#core/prices.ts';
import type { DecidedPerson, Invitation } from '#storage/admissions.ts';
import { FormField, Form } from '#web/parts/form.tsx';
import type { ItemAction } from '#web/parts/form.tsx';
import { ItemButtons, ItemList } from '#web/parts/list.tsx';
import type { ListEntry } from '#web/parts/list.tsx';
import { Timestamp } from '#web/parts/timestamp.tsx';
import { ConsolePage } from '#web/console/console-page.tsx';
import { CopyableText, CopyScript } from '#web/copyable.tsx';
import { FOCUS_ON_LOAD } from '#web/layout.tsx';

/** A user in the list. Times are in ms. */
export type ListedPerson = {
  subject: string;
  decisionId: string;
  name: string;
  /** The account's entry in `ALLOWED_USERS`; `null` if it has none. */
  accountId: string | null;
  /** `null` for a user who may not sign in. */
  role: Role | null;
  isSelf: boolean;
  seenAt: number;
  lastDay: { calls: number; searches: number; browserMs: number };
  /** Calls in the last month. They are counted only while the user's activity is stored. */
  callsOfMonth: number;
};

type Props = {
  people: readonly (ListedPerson & { decision: DecidedPerson | null })[];
  others: readonly (DecidedPerson & { name: string | null })[];
  invitations: readonly Invitation[];
  allowed: readonly string[];
  providers: readonly string[];
  next: string | null;
  noteMax: number;
  origin: string;
  problem: string | null;
  link: { to: string; note: string } | null;
};

/** `/console/people`: users who may sign in, users who have signed in, and the owner's actions on them. */
export function PeoplePage(props: Props) {
  const { people, others, providers, problem, link, next } = props;
  return (
    <ConsolePage
      title="People"
      at={PATHS.people}
      lead="Who may sign in to this server, who did, and roughly what they use."
      problem={problem}
      actions={
        providers.length === 0 ? null : (
          <ItemButtons link={{ to: '#invite', label: 'Invite someone', isMain: true }} to="" />
        )
      }
    >
      {link === null ? null : <NewLink {...link} />}
      <h2>Who has signed in</h2>
      <ItemList
        to={PATHS.people}
        items={people.map(personItem)}
        none="Nobody yet."
        next={{ to: next, label: 'More people' }}
      />
      <details class="facts">
        <summary>Costs are estimates</summary>
        <p>
          Each is what Cloudflare would bill for the calls if the plan included nothing, at its prices of {PRICES_AS_OF}
          . Search services bill separately.
        </p>
        <p>Calls in 30 days come from activity logs. A person who has turned the log off has none.</p>
      </details>
      {others.length === 0 ? null : (
        <>
          <h2>Your decisions about other people</h2>
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
      <CopyableText text={to} what="the invitation link" />
      <CopyScript />
    </div>
  );
}

function personItem(person: Props['people'][number]): ListEntry {
  const { name, accountId: id, role, seenAt, isSelf, decision, callsOfMonth } = person;
  const note = decision?.note ?? null;
  return {
    about: note === null ? name : `${note} (${name})`,
    name: <bdi>{note ?? name}</bdi>,
    state: { text: stateOf(person), looks: role === null ? 'bad' : 'ok' },
    icon: 'people',
    facts: [
      note === null ? null : (
        <>
          signs in as <bdi>{name}</bdi>
        </>
      ),
      <>
        last seen <Timestamp at={seenAt} precise />
      </>,
      useInWords(person),
      `${callsOfMonth.toLocaleString('en')} ${callsOfMonth === 1 ? 'call' : 'calls'} in the last 30 days`,
    ],
    details: [
      id === null ? null : (
        <>
          ID for <code>ALLOWED_USERS</code>: <code>{id}</code>
        </>
      ),
    ],
    link: isSelf ? { to: PATHS.account, label: 'Your account' } : null,
    actions: isSelf || role === 'owner' ? [] : actionsOn(person),
  };
}

function actionsOn({ subject, decision }: Props['people'][number]): ItemAction[] {
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
  const dollars = estimateDollars({ calls, browserMs });
  return `last 24 hours: ${counted}, ${dollars < 0.01 ? 'less than $0.01' : `about $${dollars.toFixed(2)}`}`;
}

function decisionItem({ id, name, note, verdict, decidedAt }: Props['others'][number]): ListEntry {
  const isRefused = verdict === 'refused';
  return {
    about: name ?? 'a person whose data is deleted',
    name: <bdi>{name ?? 'A person whose data is deleted'}</bdi>,
    state: isRefused ? { text: 'access ended', looks: 'bad' } : { text: 'invited' },
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
    actions: !isRefused
      ? []
      : name === null
        ? [{ label: 'Delete decision', sends: { do: 'deleteDecision', id } }]
        : [{ label: 'Let in again', sends: { do: 'readmit', id } }],
  };
}

function Invitations({ invitations, providers, noteMax, origin }: Props) {
  return (
    <>
      <h2 id="invite">Invitations</h2>
      {providers.length === 0 ? (
        <HowToInvite origin={origin} />
      ) : (
        <Form to={PATHS.people} submit="Create invitation" sends={{ do: 'invite' }}>
          <FormField name="note" label="Who is the invitation for?" required maxlength={noteMax} autocomplete="off" />
          <p class="note">
            The person who opens the link signs in with {providers.join(' or ')}, and may sign in from then on. It works
            once, for seven days.
          </p>
        </Form>
      )}
      <ItemList to={PATHS.people} items={invitations.map(invitationItem)} />
    </>
  );
}

/** Steps to set up a sign-in provider, with URLs to paste. Without a provider, nobody can be invited. */
function HowToInvite({ origin }: { origin: string }) {
  const { hostname } = new URL(origin);
  return (
    <div class="card">
      <p>
        People are invited to sign in with an account of theirs, so set up a provider first. With GitHub it takes three
        steps:
      </p>
      <ol>
        <li>
          <a href="https://github.com/settings/applications/new" rel="noreferrer">
            Register an OAuth app at GitHub
          </a>
          . As its homepage URL, enter <code>{origin}</code>. As its callback URL, enter:
          <CopyableText text={origin + callbackPath('github')} what="the callback URL for GitHub" />
        </li>
        <li>
          {isLoopbackHost(hostname) ? (
            <>
              Put the client ID and a client secret of the app into the file <code>.dev.vars</code>, and start the
              server again:
              <CopyableText text={'GITHUB_CLIENT_ID=…\nGITHUB_CLIENT_SECRET=…'} what="the settings" />
            </>
          ) : (
            <>
              Set the client ID and a client secret of the app, each with its command:
              <CopyableText
                text={'npx wrangler secret put GITHUB_CLIENT_ID\nnpx wrangler secret put GITHUB_CLIENT_SECRET'}
                what="the commands"
              />
            </>
          )}
        </li>
        <li>Open this page again. It then makes invitation links.</li>
      </ol>
      <p class="facts">
        Google, Microsoft or another OpenID provider: set <code>OIDC_ISSUER</code>, <code>OIDC_CLIENT_ID</code> and{' '}
        <code>OIDC_CLIENT_SECRET</code>, with the callback URL <code>{origin + callbackPath('oidc')}</code>
        {REPOSITORY === null ? (
          '.'
        ) : (
          <>
            . <a href={`${REPOSITORY}/blob/main/docs/signing-in.md`}>All ways to sign in</a>
          </>
        )}
      </p>
    </div>
  );
}

function invitationItem({ id, note, expiresAt }: Invitation): ListEntry {
  return {
    about: note,
    name: <bdi>{note}</bdi>,
    facts: [
      <>
        expires <Timestamp at={expiresAt} precise />
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
          Nobody. The setting <code>ALLOWED_USERS</code> is empty.
        </p>
      ) : (
        <>
          <ul>
            {allowed.map((entry) => (
              <li>
                <code>{entry}</code>
              </li>
            ))}
          </ul>
          <p class="note">
            This list is the setting <code>ALLOWED_USERS</code>. Your decisions here override it.
          </p>
        </>
      )}
    </>
  );
}
