import { PATHS } from '#core/paths.ts';
import { referencesTo } from '#core/secret-facts.ts';
import type { SecretFacts } from '#core/secret-facts.ts';
import { ConsolePage, Deed, Moment, Problem } from './console-page.tsx';
import type { Visitor } from './console-page.tsx';

type Props = {
  secrets: readonly SecretFacts[];
  /** Why none can be kept here; `null` where they can. */
  unavailable: string | null;
  /** What the form has in it beforehand. Never a value or a seed. */
  filledIn: { name: string; sites: string };
  /** Whether the form is for a new value of a secret that there is. */
  replaces: boolean;
  valueCharsMax: number;
  /** What was wrong with the form that was sent. */
  problem: string | null;
  visitor: Visitor;
};

/** `/console/secrets`: what models can type for a person and never see. */
export function SecretsPage(props: Props) {
  const { secrets, unavailable, visitor } = props;
  return (
    <ConsolePage visitor={visitor} title="Secrets" at={PATHS.secrets}>
      <p class="lead">Passwords and codes that your models can type into their sites, and never see.</p>
      <p>
        A model names a secret, and the browser types it: only into a field of its own sites, and never into a page that
        another site has put in a frame. Results, pictures and logs show dots instead.
      </p>
      <h2>Yours</h2>
      {secrets.length === 0 ? <p>You have none yet. Add the first one below.</p> : null}
      {secrets.length === 0 ? null : (
        <ul class="cards">
          {secrets.map((secret) => (
            <Card secret={secret} form={visitor.form} />
          ))}
        </ul>
      )}
      {unavailable === null ? <Keep {...props} /> : <p class="warning">{unavailable}</p>}
    </ConsolePage>
  );
}

function Card({ secret, form }: { secret: SecretFacts; form: string }) {
  const { name, sites, addedAt, usedAt } = secret;
  return (
    <li>
      <div>
        <strong>{name}</strong>
        <p class="facts">
          For{' '}
          {sites.map((site) => (
            <>
              <code>{site}</code>{' '}
            </>
          ))}
        </p>
        <p class="facts">
          Models write{' '}
          {referencesTo(secret).map((reference) => (
            <>
              <code>{reference}</code>{' '}
            </>
          ))}
        </p>
        <p class="facts">
          added <Moment at={addedAt} />,{' '}
          {usedAt === null ? (
            'never used'
          ) : (
            <>
              last used <Moment at={usedAt} precise />
            </>
          )}
        </p>
      </div>
      <a href={`${PATHS.secrets}?replace=${name}#keep`} aria-label={`Replace ${name}`}>
        Replace
      </a>
      <Deed to={PATHS.deleteSecret} form={form} fields={{ name }} label="Delete" about={name} />
    </li>
  );
}

function Keep({ filledIn, replaces, valueCharsMax, problem, visitor }: Props) {
  return (
    <>
      <h2 id="keep">{replaces ? `Replace ${filledIn.name}` : 'Add one'}</h2>
      <Problem text={problem} />
      <form method="post" action={PATHS.secrets} autocomplete="off">
        <input type="hidden" name="form" value={visitor.form} />
        {replaces ? <input type="hidden" name="replaces" value="yes" /> : null}
        <label for="name">Name, by which models ask for it</label>
        <input
          id="name"
          name="name"
          type="text"
          required
          maxlength={40}
          value={filledIn.name}
          readonly={replaces}
          placeholder="bank"
          autocomplete="off"
        />
        <label for="sites">Sites, one to a line: each exact host where it may be typed</label>
        <textarea id="sites" name="sites" rows={3} required placeholder="accounts.example.com">
          {filledIn.sites}
        </textarea>
        <label for="value">Password or other value</label>
        <input id="value" name="value" type="password" maxlength={valueCharsMax} autocomplete="new-password" />
        <label for="seed">Key for one-time codes: base32, or an otpauth:// address</label>
        <input id="seed" name="seed" type="password" maxlength={SEED_CHARS_MAX} autocomplete="new-password" />
        <p class="facts">
          Give the value, the key, or both. They are stored encrypted and never shown again. A site that gets them can
          do with them what it likes: name only sites that you would type them into yourself.
        </p>
        <div class="actions">
          <button type="submit" class="primary">
            {replaces ? 'Replace' : 'Add'}
          </button>
        </div>
      </form>
      {replaces ? (
        <p>
          <a href={PATHS.secrets}>Add another one instead</a>
        </p>
      ) : null}
    </>
  );
}

/** An address with a long label and every parameter has 400. */
const SEED_CHARS_MAX = 1_000;
