import { PATHS } from '#core/paths.ts';
import { Layout } from './layout.tsx';

type Props = {
  hasPassphrase: boolean;
  /** The providers that people may sign in with. */
  upstreams: readonly { way: string; label: string }[];
  /** The token that binds the form to this browser. */
  form: string;
  /** Where to go on afterwards. */
  next: string;
  problem: string | null;
  /** Where access would go, when a client sent the person here; empty when none did. */
  clientHost: string;
};

/** `/sign-in`: the providers that are set up, and the owner's passphrase. */
export function SignIn(props: Props) {
  const { hasPassphrase, upstreams, problem, clientHost } = props;
  return (
    <Layout title="Sign in – Periscope" width="narrow">
      <h1>Sign in</h1>
      <p class="lead">
        {clientHost === '' ? null : (
          <>
            A client at <bdi>{clientHost}</bdi> wants to connect to this server.{' '}
          </>
        )}
        {leadOf(props)}
      </p>
      {clientHost === '' ? (
        <p class="facts">
          Periscope lets language models search, read and cite the web and drive a browser. Signed in, you see what
          yours did, watch and take over their browsers, and decide who may act for you. <a href="/">More about it</a>
        </p>
      ) : null}
      {hasPassphrase ? null : <Problem text={problem} />}
      {upstreams.length === 0 ? null : <Upstreams {...props} />}
      {hasPassphrase && upstreams.length > 0 ? <p class="or">or, if this server is yours</p> : null}
      {hasPassphrase ? <Passphrase {...props} /> : null}
    </Layout>
  );
}

function leadOf({ hasPassphrase, upstreams, clientHost }: Props): string {
  if (upstreams.length > 0) return clientHost === '' ? 'Choose an account.' : 'Sign in first.';
  if (!hasPassphrase) return '';
  return clientHost === '' ? 'Enter the passphrase of this server.' : 'Enter its passphrase to go on.';
}

function Upstreams({ upstreams, form, next, clientHost }: Props) {
  return (
    <form method="post" action={PATHS.signInUpstream}>
      <Hidden form={form} next={next} clientHost={clientHost} />
      <div class="ways">
        {upstreams.map(({ way, label }) => (
          <button type="submit" name="way" value={way}>
            Sign in with {label}
          </button>
        ))}
      </div>
    </form>
  );
}

function Passphrase({ upstreams, form, next, problem, clientHost }: Props) {
  return (
    <>
      <form method="post" action={PATHS.signIn}>
        <Hidden form={form} next={next} clientHost={clientHost} />
        {/* Password managers file a password under a name. */}
        <input type="text" name="username" value="owner" autocomplete="username" hidden readonly />
        <label for="passphrase">Passphrase</label>
        <input
          id="passphrase"
          name="passphrase"
          type="password"
          autocomplete="current-password"
          required
          autofocus={upstreams.length === 0 || problem !== null}
          aria-invalid={problem === null ? undefined : 'true'}
          aria-describedby={problem === null ? undefined : 'problem'}
        />
        <Problem text={problem} />
        <div class="actions">
          <button type="submit" class="primary">
            Sign in
          </button>
        </div>
      </form>
      <p class="note">
        <code>npm start</code> prints it; a deployment has it in the secret <code>OWNER_PASSPHRASE</code>.
      </p>
    </>
  );
}

function Problem({ text }: { text: string | null }) {
  return text === null ? null : (
    <p id="problem" class="problem" role="alert">
      {text}
    </p>
  );
}

function Hidden({ form, next, clientHost }: Pick<Props, 'form' | 'next' | 'clientHost'>) {
  return (
    <>
      <input type="hidden" name="form" value={form} />
      <input type="hidden" name="next" value={next} />
      <input type="hidden" name="client" value={clientHost} />
    </>
  );
}
