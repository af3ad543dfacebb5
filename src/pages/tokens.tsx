import { PATHS } from '#core/paths.ts';
import { ConsolePage } from './console-page.tsx';
import type { Visitor } from './console-page.tsx';
import { Moment } from './moment.tsx';
import { ScopeChoice } from './scope-choice.tsx';
import { ScopeNames } from './scope-names.tsx';

type Token = {
  id: string;
  name: string;
  scopes: readonly string[];
  createdAt: number;
  expiresAt: number;
  lastUsedAt: number | null;
  isExpired: boolean;
};

type Props = {
  tokens: readonly Token[];
  choices: readonly { scope: string; sentence: string; ticked: boolean }[];
  nameMax: number;
  /** What the form has in it beforehand. */
  name: string;
  days: string;
  daysMax: number;
  /** What was wrong with the form that was sent. */
  problem: string | null;
  visitor: Visitor;
};

/** `/console/tokens`: a person's access tokens, and a form for another. */
export function Tokens(props: Props) {
  const { tokens, visitor } = props;
  return (
    <ConsolePage visitor={visitor} title="Access tokens" at={PATHS.clients}>
      <p class="lead">For agents and scripts that cannot open a sign-in page.</p>
      <p>Anyone who has a token can act as you, within its permissions, until it expires or you revoke it.</p>
      <h2>Yours</h2>
      {tokens.length === 0 ? <p>You have none yet.</p> : null}
      {tokens.length === 0 ? null : (
        <ul class="cards">
          {tokens.map((token) => (
            <Card token={token} form={visitor.form} />
          ))}
        </ul>
      )}
      <Make {...props} />
    </ConsolePage>
  );
}

function Card({ token, form }: { token: Token; form: string }) {
  const { id, name, scopes, createdAt, expiresAt, lastUsedAt, isExpired } = token;
  return (
    <li>
      <div>
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        {isExpired ? <span class="doubt">expired</span> : null}
        <p class="facts">
          <ScopeNames scopes={scopes} />
        </p>
        <p class="facts">
          created <Moment at={createdAt} />, {isExpired ? 'expired' : 'expires'} <Moment at={expiresAt} />,{' '}
          {lastUsedAt === null ? (
            'never used'
          ) : (
            <>
              last used <Moment at={lastUsedAt} precise />
            </>
          )}
        </p>
      </div>
      <form method="post" action={PATHS.revokeAccessToken}>
        <input type="hidden" name="form" value={form} />
        <input type="hidden" name="id" value={id} />
        <button type="submit" aria-label={`${isExpired ? 'Remove' : 'Revoke'} ${name}`}>
          {isExpired ? 'Remove' : 'Revoke'}
        </button>
      </form>
    </li>
  );
}

function Make({ choices, nameMax, name, days, daysMax, problem, visitor }: Props) {
  return (
    <>
      <h2>Make one</h2>
      {problem === null ? null : (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <form method="post" action={PATHS.accessTokens}>
        <input type="hidden" name="form" value={visitor.form} />
        <label for="name">Name</label>
        <input id="name" name="name" type="text" required maxlength={nameMax} value={name} placeholder="build agent" />
        <fieldset>
          <legend>It may</legend>
          {choices.map((choice) => (
            <ScopeChoice {...choice} />
          ))}
        </fieldset>
        <label for="days">Days until it expires, at most {daysMax}</label>
        <input id="days" name="days" type="number" required min={1} max={daysMax} value={days} />
        <div class="actions">
          <button type="submit" class="primary">
            Create token
          </button>
        </div>
      </form>
    </>
  );
}
