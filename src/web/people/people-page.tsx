import type { Role } from '#auth/people/account.ts';
import { MINUTE_MS } from '#core/limits.ts';
import { PATHS } from '#core/paths.ts';
import { PRICES_OF, roughDollars } from '#core/prices.ts';
import type { DecidedPerson, Invitation } from '#storage/admissions.ts';
import { ActionForm, ConsolePage, FormProblem, NextLink, Timestamp } from '#web/console/console-page.tsx';
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
    <ConsolePage visitor={visitor} title="People" at={PATHS.people}>
      <p class="lead">Who may sign in to this server, who did, and roughly what they use.</p>
      <FormProblem text={problem} />
      {link === null ? null : <NewLink {...link} />}
      <h2>Who has signed in</h2>
      {people.length === 0 ? <p>Nobody yet.</p> : null}
      <ul class="cards">
        {people.map((person) => (
          <Card person={person} form={visitor.form} />
        ))}
      </ul>
      <NextLink to={next} label="More people" />
      <p class="note">
        The cost is what Cloudflare would bill for the last 24 hours if the plan included nothing, at its prices of{' '}
        {PRICES_OF}. It is an upper estimate; calls are counted in blocks. Search services bill on their own. The 30-day
        count comes from people’s activity logs; it is 0 for anyone who has turned theirs off.
      </p>
      {others.length === 0 ? null : <Others others={others} form={visitor.form} />}
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

function Card({ person, form }: { person: Props['people'][number]; form: string }) {
  const { name, role, seenAt, decision, callsOfMonth } = person;
  return (
    <li>
      <div>
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        <span class={role === null ? 'doubt' : 'state'}>{stateOf(person)}</span>
        {decision?.note === null || decision === null ? null : (
          <p class="facts">
            invited as <bdi>{decision.note}</bdi>
          </p>
        )}
        <p class="facts">
          last seen <Timestamp at={seenAt} precise />
        </p>
        <p class="facts">{useInWords(person)}</p>
        <p class="facts">
          {callsOfMonth.toLocaleString('en')} {callsOfMonth === 1 ? 'call' : 'calls'} in the last 30 days
        </p>
      </div>
      <Actions person={person} form={form} />
    </li>
  );
}

/** Owners are left to themselves. */
function Actions({ person, form }: { person: Props['people'][number]; form: string }) {
  const { subject, name, role, isSelf, decision } = person;
  if (isSelf) {
    return (
      <p class="actions">
        <a href={PATHS.account}>Your account</a>
      </p>
    );
  }
  if (role === 'owner') return null;
  const common = { to: PATHS.people, form, about: name };
  return (
    <div class="actions">
      {decision?.verdict === 'refused' ? (
        <ActionForm {...common} fields={{ do: 'readmit', id: decision.id }} label="Let in again" />
      ) : (
        <ActionForm {...common} fields={{ do: 'refuse', subject }} label="End access" confirm="refuse" />
      )}
      <ActionForm {...common} fields={{ do: 'erase', subject }} label="Delete data" confirm="erase" />
    </div>
  );
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

function Others({ others, form }: { others: Props['others']; form: string }) {
  return (
    <>
      <h2>Your decisions on others</h2>
      <ul class="cards">
        {others.map(({ id, name, note, verdict, decidedAt }) => (
          <li>
            <div>
              <strong>
                <bdi>{name ?? 'Somebody whose data is deleted'}</bdi>
              </strong>{' '}
              <span class={verdict === 'refused' ? 'doubt' : 'state'}>
                {verdict === 'refused' ? 'access ended' : 'invited'}
              </span>
              <p class="facts">
                {note === null ? null : (
                  <>
                    invited as <bdi>{note}</bdi>,{' '}
                  </>
                )}
                decided <Timestamp at={decidedAt} />
              </p>
            </div>
            {verdict === 'refused' ? (
              <ActionForm
                to={PATHS.people}
                form={form}
                fields={{ do: 'readmit', id }}
                label={name === null ? 'Take back' : 'Let in again'}
                about={name ?? 'somebody whose data is deleted'}
              />
            ) : null}
          </li>
        ))}
      </ul>
    </>
  );
}

function Invitations({ visitor, invitations, providers, noteMax }: Props) {
  return (
    <>
      <h2>Invitations</h2>
      {providers.length === 0 ? (
        <p>
          People can be invited where they sign in at a provider: set up GitHub (<code>GITHUB_CLIENT_ID</code>) or
          another one (<code>OIDC_ISSUER</code>) first.
        </p>
      ) : (
        <form method="post" action={PATHS.people}>
          <input type="hidden" name="form" value={visitor.form} />
          <input type="hidden" name="do" value="invite" />
          <label for="note">Who is the invitation for?</label>
          <input id="note" name="note" type="text" required maxlength={noteMax} autocomplete="off" />
          <p class="note">
            Whoever opens the link signs in with {providers.join(' or ')}, and may sign in from then on. It works once,
            for seven days.
          </p>
          <div class="actions">
            <button type="submit" class="primary">
              Create invitation
            </button>
          </div>
        </form>
      )}
      <ul class="cards">
        {invitations.map(({ id, note, expiresAt }) => (
          <li>
            <div>
              <strong>
                <bdi>{note}</bdi>
              </strong>
              <p class="facts">
                open until <Timestamp at={expiresAt} precise />
              </p>
            </div>
            <ActionForm
              to={PATHS.people}
              form={visitor.form}
              fields={{ do: 'withdraw', id }}
              label="Withdraw"
              confirm="withdraw"
              about={note}
            />
          </li>
        ))}
      </ul>
    </>
  );
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
