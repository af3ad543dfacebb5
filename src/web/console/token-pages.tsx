import { Hono } from 'hono';
import type { Context } from 'hono';
import * as z from 'zod';
import { ACCESS_TOKEN_DAYS_DEFAULT, ACCESS_TOKEN_DAYS_MAX, ACCESS_TOKENS_PER_SUBJECT_MAX } from '#auth/limits.ts';
import type { Scope } from '#core/principal.ts';
import { oneLine } from '#core/text/text.ts';
import { acceptsExplicitly } from '#core/text/accept.ts';
import { ScopeCheckboxField } from '#web/layout.tsx';
import { makeAccessToken } from '#auth/people/access-tokens.ts';
import type { NewAccessTokenOptions } from '#auth/people/access-tokens.ts';
import type { StoredAccessToken } from '#storage/people.ts';
import { formText, redirectToSignIn } from '#web/page-response.ts';
import type { SiteEnv } from '#web/page-response.ts';
import { consoleVisitor, continueAfterForm, startConsolePage, withVerifiedForm } from './console.tsx';
import type { PageDeps } from '#web/sign-in/page-deps.ts';
import { PATHS, SERVER_NAME } from '#core/paths.ts';
import { CopyableText, CopyScript } from '#web/copyable.tsx';
import { buildScopeCheckboxes, grantableScopes, describeScopes } from '#auth/people/scopes.ts';
import type { ScopeCheckbox } from '#auth/people/scopes.ts';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import { FormField, FieldGroup, Form } from '#web/parts/form.tsx';
import type { FormInputProblem } from '#web/parts/form.tsx';
import { ItemList } from '#web/parts/list.tsx';
import type { ListEntry } from '#web/parts/list.tsx';
import { LastUsed, Timestamp } from '#web/parts/timestamp.tsx';
import { ConsolePage } from './console-page.tsx';

const TOKEN_NAME_CHARS_MAX = 60;

/**
 * `/console/tokens`: a user's tokens for agents that cannot sign in, with a form to add one. Answers with JSON if the
 * request accepts JSON, as `npm run token` does.
 */
export function tokenPages(deps: PageDeps): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>();
  app.get(PATHS.accessTokens, async (c) => {
    const person = await deps.signIns.read(c.req.raw);
    if (person !== null) return showTokens(c, deps, person, null);
    if (wantsJson(c)) return c.json({ error: 'Nobody is signed in.' }, 401);
    return redirectToSignIn(c);
  });
  app.post(PATHS.accessTokens, (c) => withVerifiedForm(c, deps, (form, person) => make(c, deps, form, person)));
  app.post(PATHS.revokeAccessToken, (c) => withVerifiedForm(c, deps, (form, person) => revoke(c, deps, form, person)));
  return app;
}

type SentProblem = FormInputProblem & { status: 400 | 404 | 409; sent?: FormData };

async function showTokens(
  c: Context,
  deps: PageDeps,
  person: SignedIn,
  problem: SentProblem | null,
): Promise<Response> {
  const stored = await deps.tokens.list(person.subject);
  if (wantsJson(c)) {
    c.header('Cache-Control', 'no-store');
    if (problem !== null) return c.json({ error: problem.text }, problem.status);
    const { form } = await consoleVisitor(c, deps, person);
    return c.json({ form, scopes: grantableScopes(person, deps.offered), tokens: stored.map(inJson) });
  }
  const respond = startConsolePage(c, deps, person);
  const tokens = stored.map((token) => ({ ...token, isExpired: token.expiresAt <= deps.now() }));
  const view = {
    tokens,
    ...filledIn(grantableScopes(person, deps.offered), problem?.sent),
    problem,
  };
  return respond(<Tokens {...view} />, problem?.status ?? 200);
}

/** Initial values of the form, or the submitted values after an error. */
function filledIn(offered: readonly Scope[], sent: FormData | undefined) {
  const choices = buildScopeCheckboxes(offered, [], null);
  if (sent === undefined) return { name: '', days: String(ACCESS_TOKEN_DAYS_DEFAULT), choices };
  const ticked = sent.getAll('scope');
  return {
    name: formText(sent, 'name'),
    days: formText(sent, 'days'),
    choices: choices.map((choice) => ({ ...choice, ticked: ticked.includes(choice.scope) })),
  };
}

async function make(c: Context, deps: PageDeps, form: FormData, person: SignedIn): Promise<Response> {
  const wish = parseWish(grantableScopes(person, deps.offered), form);
  if ('text' in wish) return showTokens(c, deps, person, { ...wish, status: 400, sent: form });
  const created = await makeAccessToken(deps.tokens, person, wish, deps.now());
  if (created === null) {
    const text = `You have ${ACCESS_TOKENS_PER_SUBJECT_MAX} tokens, the most one person may have. Revoke one that you do not use.`;
    return showTokens(c, deps, person, { text, status: 409, sent: form });
  }
  const { token, id, expiresAt } = created;
  if (wantsJson(c)) {
    c.header('Cache-Control', 'no-store');
    return c.json({ token, id, name: wish.name, scopes: wish.scopes, expires_at: iso(expiresAt) }, 201);
  }
  const mcpUrl = deps.origin + PATHS.mcp;
  return startConsolePage(c, deps, person)(<MadeToken {...wish} token={token} expiresAt={expiresAt} mcpUrl={mcpUrl} />);
}

async function revoke(c: Context, deps: PageDeps, form: FormData, person: SignedIn): Promise<Response> {
  const isGone = await deps.tokens.revoke(person.subject, formText(form, 'id'));
  if (!isGone) return showTokens(c, deps, person, { text: 'That token no longer exists.', status: 404 });
  if (wantsJson(c)) return c.json({ revoked: formText(form, 'id') });
  return continueAfterForm(c, 'revoked', PATHS.accessTokens);
}

const wholeDays = z
  .string()
  .regex(/^\d{1,3}$/)
  .transform(Number)
  .pipe(z.int().min(1).max(ACCESS_TOKEN_DAYS_MAX));

function parseWish(offered: readonly Scope[], form: FormData): NewAccessTokenOptions | FormInputProblem {
  const name = oneLine(formText(form, 'name'), TOKEN_NAME_CHARS_MAX);
  const scopes = offered.filter((scope) => form.getAll('scope').includes(scope));
  const days = wholeDays.safeParse(formText(form, 'days').trim());
  if (name === '') return { field: 'name', text: 'Enter a name, so that you can tell the token from others.' };
  if (scopes.length === 0) return { field: 'scope', text: 'Tick at least one permission.' };
  if (!days.success) return { field: 'days', text: `A token can be valid for 1 to ${ACCESS_TOKEN_DAYS_MAX} days.` };
  return { name, scopes, days: days.data };
}

function wantsJson(c: Context): boolean {
  return acceptsExplicitly(c.req.header('accept') ?? null, 'application/json');
}

function inJson({ id, name, scopes, createdAt, expiresAt, lastUsedAt }: StoredAccessToken) {
  return {
    id,
    name,
    scopes,
    created_at: iso(createdAt),
    expires_at: iso(expiresAt),
    last_used_at: lastUsedAt === null ? null : iso(lastUsedAt),
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

type Props = {
  name: string;
  scopes: readonly string[];
  token: string;
  /** Time at which the token expires, as Unix time in ms. */
  expiresAt: number;
  mcpUrl: string;
};

function MadeToken({ name, scopes, token, expiresAt, mcpUrl }: Props) {
  const header = `Authorization: Bearer ${token}`;
  return (
    <ConsolePage
      title="Your new token"
      at={PATHS.accessTokens}
      lead={
        <>
          For <bdi>{name}</bdi>
        </>
      }
    >
      <p class="warning">Copy it now. Only its fingerprint is stored, so it cannot be shown again.</p>
      <CopyableText text={token} what="the token" />
      <dl>
        <dt>It may</dt>
        <dd>{describeScopes(scopes)}</dd>
        <dt>It expires</dt>
        <dd>
          <Timestamp at={expiresAt} />
        </dd>
      </dl>
      <h2>How to use it</h2>
      <p>As a header of every request:</p>
      <CopyableText text={header} what="the header" />
      <p>In Claude Code:</p>
      <CopyableText
        text={`claude mcp add --transport http ${SERVER_NAME} ${mcpUrl} --header "${header}"`}
        what="the command"
      />
      <p>
        <a href={PATHS.accessTokens}>All tokens</a>
      </p>
      <CopyScript />
    </ConsolePage>
  );
}

type Token = StoredAccessToken & { isExpired: boolean };

type TokensProps = {
  tokens: readonly Token[];
  choices: readonly ScopeCheckbox[];
  name: string;
  days: string;
  problem: FormInputProblem | null;
};

function Tokens(props: TokensProps) {
  return (
    <ConsolePage
      title="Access tokens"
      at={PATHS.accessTokens}
      lead="For agents and scripts that cannot open a sign-in page."
    >
      <p>Anyone who has a token can act as you, within its permissions, until it expires or you revoke it.</p>
      <h2>Yours</h2>
      <ItemList
        to={PATHS.revokeAccessToken}
        items={props.tokens.map(tokenItem)}
        none="No tokens yet. New tokens appear here, with their last use."
      />
      <Make {...props} />
    </ConsolePage>
  );
}

function tokenItem({ id, name, scopes, createdAt, expiresAt, lastUsedAt, isExpired }: Token): ListEntry {
  return {
    about: name,
    icon: 'token',
    name: <bdi>{name}</bdi>,
    state: isExpired ? { text: 'expired', looks: 'bad' } : null,
    facts: [
      <LastUsed at={lastUsedAt} />,
      <>
        Created <Timestamp at={createdAt} />
      </>,
      <>
        {isExpired ? 'Expired' : 'Expires'} <Timestamp at={expiresAt} />
      </>,
      `May ${describeScopes(scopes)}`,
    ],
    actions: [isExpired ? { label: 'Remove', sends: { id } } : { label: 'Revoke', sends: { id }, asks: 'revoke' }],
  };
}

function Make({ choices, name, days, problem }: TokensProps) {
  return (
    <>
      <h2>New token</h2>
      <Form to={PATHS.accessTokens} submit="Create token" problem={problem}>
        <FormField
          name="name"
          label="Name"
          required
          maxlength={TOKEN_NAME_CHARS_MAX}
          value={name}
          placeholder="build agent"
        />
        <FieldGroup name="scope" label="It may">
          {choices.map((choice) => (
            <ScopeCheckboxField {...choice} />
          ))}
        </FieldGroup>
        <FormField
          name="days"
          label={`Days until it expires, at most ${ACCESS_TOKEN_DAYS_MAX}`}
          type="number"
          required
          min={1}
          max={ACCESS_TOKEN_DAYS_MAX}
          value={days}
        />
      </Form>
    </>
  );
}
