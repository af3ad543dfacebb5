import { removeBlanks } from '#core/text/blank.ts';
import { Hono } from 'hono';
import type { Context } from 'hono';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import {
  SECRET_VALUE_CHARS_MAX,
  SECRET_VALUE_CHARS_MIN,
  SECRETS_PER_SUBJECT_MAX,
  SITES_PER_SECRET_MAX,
} from '#client/limits.ts';
import type { NewStoredSecret, SecretVault } from '#browsing/secrets/vault.ts';
import type { SecretNotSavedReason } from '#client/secrets.ts';
import { PATHS } from '#core/paths.ts';
import { isValidSecretName, listSecretReferences } from '#core/secrets/secret-facts.ts';
import { parseSeed } from '#browsing/secrets/totp.ts';
import { startConsolePage, continueAfterForm, requireSignIn, withVerifiedForm } from './console.tsx';
import { formText } from '#web/page-response.ts';
import type { SiteEnv } from '#web/page-response.ts';
import type { PageDeps } from '#web/sign-in/page-deps.ts';
import { FormField, Form, TextArea } from '#web/parts/form.tsx';
import type { FormInputProblem } from '#web/parts/form.tsx';
import { ItemList } from '#web/parts/list.tsx';
import type { ListEntry } from '#web/parts/list.tsx';
import { LastUsed, Timestamp } from '#web/parts/timestamp.tsx';
import { ConsolePage } from './console-page.tsx';
import type { SecretFacts } from '#core/secrets/secret-facts.ts';
import { isLoopbackHost } from '#core/config/config.ts';
import type { Config } from '#core/config/config.ts';

/** `/console/secrets`: values that models may type without reading them, with forms to add, replace and delete. */
export function secretPages(deps: PageDeps): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>();
  app.get(PATHS.secrets, (c) => requireSignIn(c, deps, (person) => showSecrets(c, deps, person, null)));
  app.post(PATHS.secrets, (c) => withVerifiedForm(c, deps, (form, person) => keep(c, deps, form, person)));
  app.post(PATHS.deleteSecret, (c) => withVerifiedForm(c, deps, (form, person) => remove(c, deps, form, person)));
  return app;
}

/** A problem with a form. `sent`: the submitted form, to fill the fields in again. */
type SentProblem = FormInputProblem & { status: 400 | 404 | 409; sent?: FormData };

async function showSecrets(
  c: Context,
  deps: PageDeps,
  person: SignedIn,
  problem: SentProblem | null,
): Promise<Response> {
  const vault = deps.vaultOf(person.subject);
  const secrets = (await vault?.list()) ?? [];
  const respond = startConsolePage(c, deps, person);
  const sent = problem?.sent;
  const chosen = secrets.find(({ name }) => name === c.req.query('replace'));
  const filledIn =
    sent === undefined
      ? { name: chosen?.name ?? '', sites: chosen?.sites.join('\n') ?? '' }
      : { name: formText(sent, 'name'), sites: formText(sent, 'sites') };
  const view = {
    secrets,
    unavailable: vault === null ? NO_SECRET : null,
    filledIn,
    replaces: sent === undefined ? chosen !== undefined : formText(sent, 'replaces') !== '',
    problem,
  };
  return respond(<SecretsPage {...view} />, problem?.status ?? 200);
}

const NO_SECRET =
  'Secrets cannot be stored: this server has no SESSION_SECRET to encrypt them with. Its owner can set one.';

async function keep(c: Context, deps: PageDeps, form: FormData, person: SignedIn): Promise<Response> {
  const vault = deps.vaultOf(person.subject);
  if (vault === null) return showSecrets(c, deps, person, { text: NO_SECRET, status: 409 });
  const wish = parseWish(form, deps);
  if ('text' in wish) return showSecrets(c, deps, person, { ...wish, status: 400, sent: form });
  const refusal = await vault.keep(wish, formText(form, 'replaces') !== '', deps.now());
  if (refusal === null) return continueAfterForm(c, 'kept', PATHS.secrets);
  return showSecrets(c, deps, person, { ...WHY_NOT[refusal], status: 409, sent: form });
}

const WHY_NOT: Record<SecretNotSavedReason, FormInputProblem> = {
  name: { field: 'name', text: 'You already have a secret with that name. Replace it, or choose another name.' },
  count: {
    text: `You have ${SECRETS_PER_SUBJECT_MAX} secrets, the most one person may have. Delete one that you do not use.`,
  },
};

async function remove(c: Context, deps: PageDeps, form: FormData, person: SignedIn): Promise<Response> {
  const isGone = await removed(deps.vaultOf(person.subject), formText(form, 'name'));
  if (!isGone) return showSecrets(c, deps, person, { text: 'That secret no longer exists.', status: 404 });
  return continueAfterForm(c, 'deleted', PATHS.secrets);
}

async function removed(vault: SecretVault | null, name: string): Promise<boolean> {
  return vault !== null && vault.remove(name);
}

function parseWish(form: FormData, { config }: PageDeps): NewStoredSecret | FormInputProblem {
  const name = formText(form, 'name').trim().toLowerCase();
  if (!isValidSecretName(name))
    return { field: 'name', text: 'Use 1 to 40 letters from a to z, digits, - and _, such as bank.' };
  const sites = parseSecretSites(formText(form, 'sites'), config);
  if (typeof sites === 'string') return { field: 'sites', text: sites };
  const value = formText(form, 'value');
  const key = formText(form, 'seed').trim();
  const wrong = value === '' && key === '' ? 'Enter a value, a key for one-time codes, or both.' : problemOf(value);
  if (wrong !== null) return { field: 'value', text: wrong };
  const seed = key === '' ? null : parseSeed(key);
  if (typeof seed === 'string') return { field: 'seed', text: `The key for one-time codes ${seed}.` };
  return { name, sites, value: value === '' ? null : value, seed };
}

function problemOf(value: string): string | null {
  if (value.length > SECRET_VALUE_CHARS_MAX) return `Use at most ${SECRET_VALUE_CHARS_MAX} characters.`;
  if (value === '' || removeBlanks(value).length >= SECRET_VALUE_CHARS_MIN) return null;
  return `Use at least ${SECRET_VALUE_CHARS_MIN} characters, not counting spaces: a shorter value could not be distinguished from other words, so results could not hide it.`;
}

type SecretsProps = {
  secrets: readonly SecretFacts[];
  /** The reason why this deployment cannot store secrets; `null` if it can. */
  unavailable: string | null;
  /** Initial values of the form, without the secret itself. */
  filledIn: { name: string; sites: string };
  replaces: boolean;
  problem: FormInputProblem | null;
};

function SecretsPage(props: SecretsProps) {
  return (
    <ConsolePage
      title="Secrets"
      at={PATHS.secrets}
      lead="Passwords and codes that your models can use without seeing them."
    >
      <p>
        A model names a secret, and the browser types it, but only on the sites that you list, and never into a page
        that another site shows in a frame. Results, pictures and logs show dots instead.
      </p>
      <h2>Yours</h2>
      <ItemList
        to={PATHS.deleteSecret}
        items={props.secrets.map(secretItem)}
        none="No secrets yet. Add the first one below: models then sign in with it and never see it."
      />
      {props.unavailable === null ? <Keep {...props} /> : <p class="warning">{props.unavailable}</p>}
    </ConsolePage>
  );
}

function secretItem(secret: SecretFacts): ListEntry {
  const { name, sites, addedAt, usedAt } = secret;
  return {
    about: name,
    icon: 'secret',
    name,
    facts: [
      <>For {asCode(sites)}</>,
      <>
        Added <Timestamp at={addedAt} />
      </>,
      <LastUsed at={usedAt} />,
    ],
    details: [<>Models write {asCode(listSecretReferences(secret))}</>],
    link: { to: `${PATHS.secrets}?replace=${name}#keep`, label: 'Replace' },
    actions: [{ label: 'Delete', sends: { name }, asks: 'secret' }],
  };
}

function asCode(words: readonly string[]) {
  return words.map((word) => (
    <>
      <code>{word}</code>{' '}
    </>
  ));
}

function Keep({ filledIn, replaces, problem }: SecretsProps) {
  return (
    <>
      <h2 id="keep">{replaces ? `Replace ${filledIn.name}` : 'Add a secret'}</h2>
      <Form
        to={PATHS.secrets}
        submit={replaces ? 'Replace' : 'Add'}
        sends={replaces ? { replaces: 'yes' } : {}}
        problem={problem}
        autocomplete="off"
      >
        <FormField
          name="name"
          label="Name that models use for it"
          required
          maxlength={40}
          value={filledIn.name}
          readonly={replaces}
          placeholder="bank"
          autocomplete="off"
        />
        <TextArea
          name="sites"
          label="Sites, one per line: each exact host where it may be typed"
          rows={3}
          required
          placeholder="accounts.example.com"
          text={filledIn.sites}
        />
        <Given isAgain={problem !== null} />
      </Form>
      {replaces ? (
        <p>
          <a href={PATHS.secrets}>Add another one instead</a>
        </p>
      ) : null}
    </>
  );
}

/** The fields for password and one-time-code key, which are entered once and never shown again. */
function Given({ isAgain }: { isAgain: boolean }) {
  const hidden = { type: 'password', autocomplete: 'new-password', described: 'given' };
  return (
    <>
      <FormField name="value" label="Password or other value" maxlength={SECRET_VALUE_CHARS_MAX} {...hidden} />
      <FormField
        name="seed"
        label="Key for one-time codes: base32, or an otpauth:// address"
        maxlength={SEED_CHARS_MAX}
        {...hidden}
      />
      <p class="facts" id="given">
        {isAgain ? 'The value and the key were not stored: enter them again. ' : ''}Enter the value, the key, or both.
        They are stored encrypted and never shown again. A site that gets them can do with them what it likes: name only
        sites that you would type them into yourself.
      </p>
    </>
  );
}

/** Maximum characters of a one-time-code key. An `otpauth:` URL with a long label has 400. */
const SEED_CHARS_MAX = 1_000;

/**
 * Parses the sites of a secret, separated by white space or commas: a host, an origin or a URL copied from a browser.
 * @returns the origins, or the problem as text
 */
export function parseSecretSites(text: string, config: Pick<Config, 'ALLOWED_PRIVATE_HOSTS'>): string[] | string {
  const lines = text.split(/[\s,]+/u).filter((line) => line !== '');
  if (lines.length === 0) return 'Name at least one site, such as accounts.example.com.';
  const read = lines.map((line) => readSite(line, config));
  const wrong = read.find((site) => 'problem' in site);
  if (wrong !== undefined) return wrong.problem;
  const sites = [...new Set(read.flatMap((site) => ('origin' in site ? [site.origin] : [])))];
  return sites.length > SITES_PER_SECRET_MAX ? `A secret can have ${SITES_PER_SECRET_MAX} sites at most.` : sites;
}

type SiteOrProblem = { origin: string } | { problem: string };

function readSite(text: string, config: Pick<Config, 'ALLOWED_PRIVATE_HOSTS'>): SiteOrProblem {
  if (text.includes('*')) return { problem: 'A site is one exact host: name each of them, without *.' };
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//iu.test(text) ? text : `https://${text}`);
  if (url === null || url.hostname === '' || url.username + url.password !== '')
    return { problem: 'A site is a host such as accounts.example.com, or an address that begins with https://.' };
  const { protocol, hostname, origin } = url;
  if (protocol === 'http:' && isAllowedLoopback(url, config)) return { origin };
  if (protocol !== 'https:')
    return { problem: `${url.host} must use https: over http, anybody on the way could read it.` };
  // A name without a dot, such as `com` or `intranet`, is not a full host name.
  if (!hostname.includes('.') && !hostname.startsWith('[') && !isLoopbackHost(hostname))
    return { problem: `“${hostname}” is not a full host name, such as accounts.example.com.` };
  return { origin };
}

function isAllowedLoopback({ hostname, port }: URL, config: Pick<Config, 'ALLOWED_PRIVATE_HOSTS'>): boolean {
  return isLoopbackHost(hostname) && config.ALLOWED_PRIVATE_HOSTS.includes(`${hostname}:${port === '' ? '80' : port}`);
}
