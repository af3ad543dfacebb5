import { Layout } from './layout.tsx';

type Props = {
  /** The token that binds the form to this browser. */
  form: string;
  /** Where to go on afterwards. */
  next: string;
  problem: string | null;
  /** Who sent the person here, in its own words; empty when nobody did. */
  clientName: string;
};

/** `/sign-in`: the owner's passphrase. */
export function SignIn({ form, next, problem, clientName }: Props) {
  return (
    <Layout title="Sign in – Periscope" narrow>
      <h1>Sign in</h1>
      <p class="lead">
        {clientName === '' ? (
          'With the passphrase of this server.'
        ) : (
          <>
            <bdi>{clientName}</bdi> wants to connect to this server. First show that it is yours.
          </>
        )}
      </p>
      <form method="post" action="/sign-in">
        <input type="hidden" name="form" value={form} />
        <input type="hidden" name="next" value={next} />
        <input type="hidden" name="client" value={clientName} />
        {/* Password managers file a password under a name. */}
        <input type="text" name="username" value="owner" autocomplete="username" hidden readonly />
        <label for="passphrase">Passphrase</label>
        <input
          id="passphrase"
          name="passphrase"
          type="password"
          autocomplete="current-password"
          required
          autofocus
          aria-invalid={problem === null ? undefined : 'true'}
          aria-describedby={problem === null ? undefined : 'problem'}
        />
        {problem === null ? null : (
          <p id="problem" class="problem" role="alert">
            {problem}
          </p>
        )}
        <div class="actions">
          <button type="submit" class="primary">
            Sign in
          </button>
        </div>
      </form>
      <p class="note">
        <code>npm start</code> prints it; a deployment has it in the secret <code>OWNER_PASSPHRASE</code>.
      </p>
    </Layout>
  );
}
