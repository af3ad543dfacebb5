import { withoutBlanks } from '#core/blank.ts';
import { Hono } from 'hono';
import type { Context } from 'hono';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import { SECRET_VALUE_CHARS_MAX, SECRET_VALUE_CHARS_MIN, SECRETS_PER_SUBJECT_MAX } from '#client/limits.ts';
import { readSites } from '#client/secret-sites.ts';
import type { NewSecret, SecretVault } from '#browsing/secrets/vault.ts';
import type { NotKept } from '#client/secrets.ts';
import { PATHS } from '#core/paths.ts';
import { isVaultName } from '#core/secret-facts.ts';
import { readSeed } from '#core/totp.ts';
import { Continue } from '#pages/layout.tsx';
import { SecretsPage } from '#pages/secrets.tsx';
import { visitorOf, withForm } from './own-form.tsx';
import { fieldOf, page, signInFirst } from './page-answers.ts';
import type { PageDeps } from './page-deps.ts';
import { CONSOLE_PLACES, ConsolePage } from '#pages/console-page.tsx';
import type { Visitor } from '#pages/console-page.tsx';

/** `/console/secrets`: what a person lets models type without seeing it, and a form to add, replace and delete. */
export function secretPages(deps: PageDeps) {
  const app = new Hono();
  app.get(PATHS.secrets, async (c) => {
    const person = await deps.signIns.read(c.req.raw);
    return person === null ? signInFirst(c) : showSecrets(c, deps, person, null);
  });
  app.post(PATHS.secrets, (c) => withForm(c, deps, (form, person) => keep(c, deps, form, person)));
  app.post(PATHS.deleteSecret, (c) => withForm(c, deps, (form, person) => remove(c, deps, form, person)));
  return app;
}

/** `sent`: the form to fill in again. */
type Problem = { text: string; status: 400 | 404 | 409; sent?: FormData };

async function showSecrets(c: Context, deps: PageDeps, person: SignedIn, problem: Problem | null): Promise<Response> {
  const vault = deps.vaultOf(person.subject);
  const secrets = (await vault?.list()) ?? [];
  const visitor = await visitorOf(c, deps, person);
  const sent = problem?.sent;
  const chosen = secrets.find(({ name }) => name === c.req.query('replace'));
  const filledIn =
    sent === undefined
      ? { name: chosen?.name ?? '', sites: chosen?.sites.join('\n') ?? '' }
      : { name: fieldOf(sent, 'name'), sites: fieldOf(sent, 'sites') };
  const view = {
    secrets,
    unavailable: vault === null ? NO_SECRET : null,
    filledIn,
    replaces: sent === undefined ? chosen !== undefined : fieldOf(sent, 'replaces') !== '',
    valueCharsMax: SECRET_VALUE_CHARS_MAX,
    problem: problem?.text ?? null,
    visitor,
  };
  return page(c, <SecretsPage {...view} />, problem?.status ?? 200);
}

const NO_SECRET =
  'Nothing can be kept here: this server has no SESSION_SECRET to encrypt it with. Its operator sets one.';

async function keep(c: Context, deps: PageDeps, form: FormData, person: SignedIn): Promise<Response> {
  const vault = deps.vaultOf(person.subject);
  if (vault === null) return showSecrets(c, deps, person, { text: NO_SECRET, status: 409 });
  const wish = parseWish(form, deps);
  if (typeof wish === 'string') return showSecrets(c, deps, person, { text: wish, status: 400, sent: form });
  const notKept = await vault.keep(wish, fieldOf(form, 'replaces') !== '', deps.now());
  if (notKept === null) return page(c, <Continue to={PATHS.secrets} label="Secrets" title="Kept" />, 200);
  return showSecrets(c, deps, person, { text: WHY_NOT[notKept], status: 409, sent: form });
}

const WHY_NOT: Record<NotKept, string> = {
  name: 'You have a secret of that name. Replace it, or choose another name.',
  count: `You have ${SECRETS_PER_SUBJECT_MAX} secrets, the most one person may have. Delete one that you do not use.`,
};

async function remove(c: Context, deps: PageDeps, form: FormData, person: SignedIn): Promise<Response> {
  const isGone = await removed(deps.vaultOf(person.subject), fieldOf(form, 'name'));
  if (!isGone) return showSecrets(c, deps, person, { text: 'That secret no longer exists.', status: 404 });
  return page(c, <Continue to={PATHS.secrets} label="Secrets" title="Deleted" />, 200);
}

async function removed(vault: SecretVault | null, name: string): Promise<boolean> {
  return vault !== null && vault.remove(name);
}

/** What the form asks for, or what is wrong with it, in words. */
function parseWish(form: FormData, { config }: PageDeps): NewSecret | string {
  const name = fieldOf(form, 'name').trim().toLowerCase();
  if (!isVaultName(name)) return 'A name has 1 to 40 letters from a to z, digits, - and _, such as bank.';
  const sites = readSites(fieldOf(form, 'sites'), config);
  if (typeof sites === 'string') return sites;
  const value = fieldOf(form, 'value');
  const key = fieldOf(form, 'seed').trim();
  if (value === '' && key === '') return 'Give a value, a key for one-time codes, or both.';
  if (value !== '' && withoutBlanks(value).length < SECRET_VALUE_CHARS_MIN)
    return `A value has at least ${SECRET_VALUE_CHARS_MIN} characters beside spaces: a shorter one cannot be told from other words, so results could not hide it.`;
  if (value.length > SECRET_VALUE_CHARS_MAX) return `A value has ${SECRET_VALUE_CHARS_MAX} characters at most.`;
  const seed = key === '' ? null : readSeed(key);
  if (typeof seed === 'string') return `The key for one-time codes ${seed}.`;
  return { name, sites, value: value === '' ? null : value, seed };
}

/** `/console`: where a signed-in person begins. */
export function consolePage(deps: PageDeps) {
  const app = new Hono();
  app.get(PATHS.console, async (c) => {
    const person = await deps.signIns.read(c.req.raw);
    if (person === null) return signInFirst(c);
    return page(c, <Console mcpUrl={deps.origin + PATHS.mcp} visitor={await visitorOf(c, deps, person)} />, 200);
  });
  return app;
}

/** `/console`: what a signed-in person can look after here. */
function Console({ mcpUrl, visitor }: { mcpUrl: string; visitor: Visitor }) {
  const places = CONSOLE_PLACES.filter(({ path, isOwners = false }) => {
    return path !== PATHS.console && (visitor.isOwner || !isOwners);
  });
  return (
    <ConsolePage visitor={visitor} title="Console" at={PATHS.console}>
      <p class="lead">
        Connector URL: <code>{mcpUrl}</code>
      </p>
      <p>
        <a href="/#connect">Connect a client</a> with it, and what its model does appears here.
      </p>
      <ul class="cards">
        {places.map((place) => (
          <Entry {...place} />
        ))}
      </ul>
    </ConsolePage>
  );
}

function Entry({ path, label, text }: { path: string; label: string; text: string }) {
  return (
    <li>
      <div>
        <a href={path}>{label}</a>
        <p class="facts">{text}</p>
      </div>
    </li>
  );
}
