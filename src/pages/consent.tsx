import { quoted } from '#core/text.ts';
import { Layout } from './layout.tsx';
import { ScopeChoice } from './scope-names.tsx';
import { SignedIn } from './signed-in.tsx';

type Props = {
  /** As the client calls itself: its own words, which nothing here may seem to say. */
  clientName: string;
  /** The host of the document in which the client describes itself, or `null` when nobody vouches for its name. */
  clientDomain: string | null;
  /** The host that access is sent to. */
  redirectHost: string;
  redirectIsLoopback: boolean;
  choices: readonly { scope: string; sentence: string; ticked: boolean }[];
  /** What the client asks for that this person cannot allow. */
  ownersOnly: readonly string[];
  asOwner: boolean;
  /** The token that binds the form to this browser. */
  form: string;
  /** Names the request that is decided on. */
  handle: string;
};

/** `/authorize`: who asks for what, and the person's answer. */
export function Consent(props: Props) {
  const { redirectHost, redirectIsLoopback, choices, ownersOnly, asOwner, form, handle } = props;
  const to = redirectIsLoopback ? 'a program on your computer' : redirectHost;
  return (
    <Layout title={`Give access to ${to} – Periscope`} width="narrow">
      <h1>
        Give access to <bdi>{to}</bdi>?
      </h1>
      <Facts {...props} />
      <p class="note">{WHO_SEES}</p>
      {redirectIsLoopback ? (
        <p class="warning">
          Access goes to a program on your own computer. Allow it only if you have just started connecting from there.
        </p>
      ) : null}
      <form method="post" action="/authorize">
        <input type="hidden" name="form" value={form} />
        <input type="hidden" name="handle" value={handle} />
        <fieldset>
          <legend>It may</legend>
          {choices.map((choice) => (
            <ScopeChoice {...choice} />
          ))}
          {ownersOnly.map((scope) => (
            <p class="note">
              It also asks for <code>{scope}</code>, which only the owner of this server can allow.
            </p>
          ))}
        </fieldset>
        {redirectIsLoopback ? null : (
          <label class="choice">
            <input type="checkbox" name="quiet" value="yes" />
            <span>Do not ask again for this client within 30 days</span>
          </label>
        )}
        <div class="actions">
          <button type="submit" name="decision" value="allow" class="primary">
            Allow
          </button>
          <button type="submit" name="decision" value="deny">
            Deny
          </button>
        </div>
      </form>
      <SignedIn isOwner={asOwner} form={form} />
    </Layout>
  );
}

const WHO_SEES =
  'Public pages opened here are stored for everyone who uses this server; nothing in them says who opened them. A page is stored for you alone if its address looks like a secret (a share link, a token) or its site marks it as private.';

function Facts({ clientName, clientDomain, redirectHost, redirectIsLoopback }: Props) {
  return (
    <dl>
      <dt>Access goes to</dt>
      <dd>
        <strong>{redirectHost}</strong>
        {redirectIsLoopback ? ' – this computer' : ''}
      </dd>
      <dt>Client</dt>
      <dd>
        {clientDomain === null ? (
          <>
            <strong class="doubt">Not verified.</strong> Nobody vouches for what it calls itself.
          </>
        ) : (
          <>
            <strong>Verified</strong> as published by <strong>{clientDomain}</strong>
          </>
        )}
      </dd>
      <dt>It calls itself</dt>
      <dd>{clientName === '' ? 'nothing' : <bdi class="claimed">{quoted(clientName)}</bdi>}</dd>
    </dl>
  );
}
