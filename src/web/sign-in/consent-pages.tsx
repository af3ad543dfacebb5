import { AuthorizationError, authorizationErrorRedirect, CimdFetchError } from '@cloudflare/workers-oauth-provider';
import type { AuthRequest, ConsentDescription } from '@cloudflare/workers-oauth-provider';
import { Hono } from 'hono';
import type { Context } from 'hono';
import { CLIENT_NAME_CHARS_MAX, CONSENT_REMEMBERED_MS, REFRESH_TOKEN_IDLE_TTL_SECONDS } from '#auth/limits.ts';
import { oneLine, quoteCurly } from '#core/text/text.ts';
import { describeOwnAccount } from '#auth/people/account.ts';
import { RedirectPage, Layout, MessagePage, SignedInAs, ScopeCheckboxField } from '#web/layout.tsx';
import { isClientMetadataUrl, runWithFetchGate } from '#auth/server/gated-fetch.ts';
import { completeAuthorization } from '#auth/server/connections.ts';
import type { ConsentedClient } from '#client/consents.ts';
import { describeRedirectDestination, classifyRedirectUri } from '#auth/server/client-metadata.ts';
import type { RedirectDestination } from '#auth/server/client-metadata.ts';
import { formText, respondWithPage, setCookies } from '#web/page-response.ts';
import type { SiteEnv } from '#web/page-response.ts';
import type { PageDeps } from './page-deps.ts';
import { PATHS, SERVER_TITLE } from '#core/paths.ts';
import { DAY_MS, SECOND_MS } from '#core/limits.ts';
import { Logo } from '#web/style/icons.tsx';
import { selectGrantedScopes, buildScopeCheckboxes, grantableScopes, SCOPE_GROUPS } from '#auth/people/scopes.ts';
import type { ScopeCheckbox } from '#auth/people/scopes.ts';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import { respondFormExpired, hasSignInMethod, SignInNotSetUp, showSignIn } from './sign-in-pages.tsx';

/**
 * `/authorize`: sign-in, consent, and back to the client. Anyone can register a client and its redirect URI, so users
 * are sent there only after they have seen the client and the URI's host (RFC 9700 §4.11.2). A GET redirects only if
 * this user allowed this client to skip the consent page at this URI. A refused request shows a page, whose link takes
 * the error (RFC 6749 §4.1.2.1) to the client. A POST answers with a page that redirects itself: browsers check every
 * hop of an HTTP redirect after a form against `form-action`, including hops that the client's callback adds.
 */
export function authorizePages(deps: PageDeps): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>();
  app.get(PATHS.authorize, (c) => orProblem(c, deps, wrongRequest, () => begin(c, deps)));
  app.post(PATHS.authorize, (c) =>
    orProblem(
      c,
      deps,
      () => OVER,
      () => decide(c, deps),
    ),
  );
  return app;
}

async function begin(c: Context, deps: PageDeps): Promise<Response> {
  if (!hasSignInMethod(deps)) return respondWithPage(c, <SignInNotSetUp />, 501);
  const url = new URL(c.req.url);
  if (hasRepeated(url.searchParams)) return refusedPage(c, deps, 'invalid_request', REPEATED, null);
  const clientId = url.searchParams.get('client_id') ?? '';
  if (isClientMetadataUrl(clientId) && (await deps.judgeClientUrl(clientId)) !== 'allowed')
    return unknownClient(c, deps);
  const request = await deps.oauth.parseAuthRequest(c.req.raw);
  const place = classifyRedirectUri(request.redirectUri);
  // A client's metadata document may list any URL, so the redirect URI is checked here again.
  if (place === null) return refusedPage(c, deps, 'invalid_request', NO_SUCH_PLACE, null);
  const refusal = refusedRequest(request);
  if (refusal !== null) return refusedPage(c, deps, 'invalid_request', NO_PKCE, refusal);
  const person = await deps.signIns.read(c.req.raw);
  if (person === null) {
    return showSignIn(
      c,
      deps,
      { next: url.pathname + url.search, clientHost: describeRedirectDestination(place) },
      null,
      200,
    );
  }
  const memory = await deps.consentsOf(person.subject).find(consentedClient(request));
  const isCovered = offeredTo(deps, person)
    .filter((scope) => request.scope.includes(scope))
    .every((scope) => memory?.scopes.includes(scope));
  if (memory !== null && memory.quietUntil > deps.now() && isCovered && place.kind === 'site') {
    return c.redirect(await grant(deps, person, request, memory.scopes), 302);
  }
  return showConsent(c, deps, person, { request, place }, memory?.scopes ?? null);
}

async function showConsent(
  c: Context,
  deps: PageDeps,
  person: SignedIn,
  { request, place }: { request: AuthRequest; place: RedirectDestination },
  before: readonly string[] | null,
): Promise<Response> {
  const details = await deps.oauth.describeConsent(request);
  const consent = await deps.oauth.beginConsent(request);
  const { token, setCookie } = await deps.signIns.startForm(c.req.raw);
  setCookies(c, [setCookie, ...consent.headers.getSetCookie().map(deps.jar.outgoing)]);
  const view = {
    clientName: shownName(details),
    clientDomain: details.clientDomain ?? null,
    place,
    choices: buildScopeCheckboxes(offeredTo(deps, person), request.scope, before),
    ownersOnly: deps.offered.filter(
      (scope) => request.scope.includes(scope) && !offeredTo(deps, person).includes(scope),
    ),
    asOwner: person.owner,
    name: describeOwnAccount(person.account),
    host: new URL(deps.origin).host,
  };
  return respondWithPage(c, <Consent {...view} form={token} handle={consent.handle} />, 200);
}

async function decide(c: Context, deps: PageDeps): Promise<Response> {
  const form = await c.req.formData();
  if (!(await deps.signIns.isOurForm(c.req.raw, formText(form, 'form')))) return respondFormExpired(c);
  const person = await deps.signIns.read(c.req.raw);
  if (person === null) return respondFormExpired(c);
  const posted = deps.jar.incoming(c.req.raw);
  const handle = formText(form, 'handle');
  if (formText(form, 'decision') !== 'allow') {
    const denied = await deps.oauth.denyConsent(posted, handle);
    return leave(c, deps, denied.headers, denied.redirectTo, 'Access denied');
  }
  const ticked = offeredTo(deps, person).filter((scope) => form.getAll('scope').includes(scope));
  if (ticked.length === 0) {
    const text = 'Nothing was ticked, so there is nothing to allow. Go back and tick a permission, or deny access.';
    return respondWithPage(c, <MessagePage title="Nothing was ticked" text={text} />, 400);
  }
  const approved = await deps.oauth.approveConsent(posted, handle);
  const { request } = approved;
  if (await isForgotten(deps, request)) return refusedPage(c, deps, 'client_forgotten', FORGOTTEN, null);
  const isQuiet = formText(form, 'quiet') === 'yes';
  const quietUntil = isQuiet ? deps.now() + CONSENT_REMEMBERED_MS : 0;
  await deps.consentsOf(person.subject).save(consentedClient(request), { scopes: ticked, quietUntil });
  return leave(c, deps, approved.headers, await grant(deps, person, request, ticked), 'Connected');
}

function consentedClient({ clientId, redirectUri }: AuthRequest): ConsentedClient {
  return { clientId, redirectUri };
}

const FORGOTTEN = 'The registration of the client was deleted because nobody had signed in with it.';

/** True if the client was deleted. Unused clients are removed, perhaps while a user reads the consent page. */
async function isForgotten(deps: PageDeps, { clientId }: AuthRequest): Promise<boolean> {
  return !isClientMetadataUrl(clientId) && (await deps.oauth.lookupClient(clientId)) === null;
}

function grant(deps: PageDeps, person: SignedIn, request: AuthRequest, chosen: readonly string[]): Promise<string> {
  const scopes = selectGrantedScopes(offeredTo(deps, person), chosen, request.scope);
  return completeAuthorization(deps.oauth, request, person, scopes);
}

function leave(c: Context, deps: PageDeps, headers: Headers, to: string, title: string): Response | Promise<Response> {
  setCookies(c, headers.getSetCookie().map(deps.jar.outgoing));
  return respondWithPage(c, <RedirectPage to={to} label="Back to your client" title={title} />, 200);
}

/**
 * Requires PKCE with S256 from every client (OAuth 2.1 §7.6). By default, clients with a secret need no PKCE.
 * @returns the redirect URI with the error, or `null` for a valid request
 */
function refusedRequest(request: AuthRequest): string | null {
  const { codeChallenge = '', codeChallengeMethod } = request;
  if (CODE_CHALLENGE.test(codeChallenge) && codeChallengeMethod === 'S256') return null;
  return authorizationErrorRedirect(request, 'invalid_request', 'PKCE with S256 is required');
}

/** Form of a code challenge (RFC 7636 §4.2). A client with any other form could never redeem its code. */
const CODE_CHALLENGE = /^[\w.~-]{43,128}$/;

/** Parameters that may occur only once (RFC 6749 §3.1). `resource` may occur several times (RFC 8707 §2). */
const SINGLE = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const;

function hasRepeated(parameters: URLSearchParams): boolean {
  return SINGLE.some((name) => parameters.getAll(name).length > 1);
}

/** Runs a step, and shows a page for its errors. @param reasonFor rewords an error, which may quote the request */
async function orProblem(
  c: Context,
  deps: PageDeps,
  reasonFor: (error: AuthorizationError, c: Context) => string,
  run: () => Promise<Response>,
): Promise<Response> {
  try {
    return await runWithFetchGate(deps.judgeClientUrl, run);
  } catch (error) {
    if (error instanceof CimdFetchError) return unknownClient(c, deps);
    if (!(error instanceof AuthorizationError)) throw error;
    return refusedPage(c, deps, error.code, reasonFor(error, c), error.redirectTo ?? null);
  }
}

const NO_PKCE = 'The request has no valid PKCE challenge (S256), which this server requires.';
const NO_SUCH_PLACE = 'The request names a return address of a kind that this server does not use.';
const REPEATED = 'The request names a parameter twice.';
const OVER = 'You have already answered this page, it is older than ten minutes, or it was opened in another browser.';

function wrongRequest({ code, redirectTo }: AuthorizationError, c: Context): string {
  if (code === 'invalid_target') return 'The request asks for access to a different server.';
  if (code !== 'invalid_request') return 'The request asks for a response type that this server does not support.';
  if (redirectTo === undefined) return 'The request names a client or a return address that is not registered here.';
  return c.req.query('response_type')
    ? NO_PKCE
    : 'The request does not say which response type it wants (response_type).';
}

/** Shows a refusal. @param to registered redirect URI with the error; `null` if the URI is not registered */
function refusedPage(
  c: Context,
  deps: PageDeps,
  code: string,
  reason: string,
  to: string | null,
): Response | Promise<Response> {
  deps.refused(code, 400);
  const text = `${reason} Nothing has been allowed. Go back to your client and connect again; if that does not help, remove this server there and add it again.`;
  const place = to === null ? null : classifyRedirectUri(to);
  const link =
    to === null || place === null
      ? {}
      : { link: { to, label: `Tell the client at ${describeRedirectDestination(place)}` } };
  return respondWithPage(c, <MessagePage title="This request cannot be answered" text={text} {...link} />, 400);
}

function unknownClient(c: Context, deps: PageDeps): Response | Promise<Response> {
  deps.refused('client_document_unavailable', 400);
  const text =
    'The metadata document of this client could not be read, so this server cannot tell who is asking. Try again in a while.';
  return respondWithPage(c, <MessagePage title="The client is not known" text={text} />, 400);
}

/** The name that the client gave itself, on one line, without invisible characters or changes of text direction. */
function shownName({ clientName }: ConsentDescription): string {
  return oneLine(clientName, CLIENT_NAME_CHARS_MAX);
}

function offeredTo(deps: PageDeps, person: SignedIn) {
  return grantableScopes(person, deps.offered);
}

type ConsentProps = {
  /** Name that the client gave itself, so untrusted. */
  clientName: string;
  /** Host of the client's metadata document; `null` for a client without one, whose name is not verified. */
  clientDomain: string | null;
  place: RedirectDestination;
  choices: readonly ScopeCheckbox[];
  ownersOnly: readonly string[];
  asOwner: boolean;
  name: string | null;
  host: string;
  form: string;
  handle: string;
};

function Consent(props: ConsentProps) {
  const { place, asOwner, name, host, form, handle } = props;
  const to = receiver(place);
  return (
    <Layout title={`Give access to ${to} – Periscope`} width="sheet">
      <div class="pair" aria-hidden="true">
        <Logo />
        <span class="other">{place.kind === 'site' ? place.host.charAt(0).toUpperCase() : '›_'}</span>
      </div>
      <h1>
        Give access to <bdi>{to}</bdi>?
      </h1>
      <p class="lead">
        It asks to use {SERVER_TITLE} on <b>{host}</b> for you.
      </p>
      <Facts {...props} />
      <Warning {...place} />
      <form method="post" action={PATHS.authorize}>
        <input type="hidden" name="form" value={form} />
        <input type="hidden" name="handle" value={handle} />
        <Permits {...props} />
        {place.kind === 'site' ? (
          <label class="choice">
            <input type="checkbox" name="quiet" value="yes" />
            <span>Do not ask again for this client within 30 days</span>
          </label>
        ) : null}
        <div class="actions halved">
          <button type="submit" name="decision" value="deny">
            Deny
          </button>
          <button type="submit" name="decision" value="allow" class="primary">
            Allow
          </button>
        </div>
      </form>
      <p class="note">
        Access lasts until you end it on the Clients page of the console, or until the client has not used it for{' '}
        {REFRESH_TOKEN_IDLE_TTL_SECONDS / DAY_SECONDS} days.
      </p>
      <p class="note">{WHO_SEES}</p>
      <SignedInAs isOwner={asOwner} name={name} form={form} />
    </Layout>
  );
}

const DAY_SECONDS = DAY_MS / SECOND_MS;

function Permits({ choices, ownersOnly }: Pick<ConsentProps, 'choices' | 'ownersOnly'>) {
  return (
    <fieldset class="permits">
      <legend>It may</legend>
      {SCOPE_GROUPS.map((group) => {
        const some = choices.filter((choice) => choice.group === group);
        return some.length === 0 ? null : (
          <>
            <h2>{group}</h2>
            {some.map((choice) => (
              <ScopeCheckboxField {...choice} />
            ))}
          </>
        );
      })}
      {ownersOnly.map((scope) => (
        <p class="note">
          It also asks for <code>{scope}</code>, which only the owner of this server can allow.
        </p>
      ))}
    </fieldset>
  );
}

function receiver(place: RedirectDestination): string {
  if (place.kind === 'site') return place.host;
  return place.kind === 'loopback' ? 'a program on your computer' : `the app that opens ${place.scheme}: links`;
}

/** Another program on the device can claim the port or the scheme (RFC 8252 §8.6), so the user is asked each time. */
function Warning(place: RedirectDestination) {
  if (place.kind === 'site') return null;
  return (
    <p class="warning">
      {place.kind === 'loopback' ? (
        'Access goes to a program on your own computer. Allow it only if you have just started connecting from there.'
      ) : (
        <>
          Access goes to whichever app on this device opens <code>{place.scheme}:</code> links. Allow it only if you
          have just started connecting from that app.
        </>
      )}
    </p>
  );
}

const WHO_SEES =
  'Public pages opened here are stored for everyone who uses this server; nothing in them shows who opened them. A page is stored for you alone if its address looks like a secret (a share link, a token) or its site marks it as private.';

function Facts({ clientName, clientDomain, place }: ConsentProps) {
  return (
    <dl>
      <dt>Access goes to</dt>
      <dd>
        {place.kind === 'app' ? (
          <>
            <strong>{place.scheme}:</strong> – an app on this device, not a web site
          </>
        ) : (
          <>
            <strong>{place.host}</strong>
            {place.kind === 'loopback' ? ' – this computer' : ''}
          </>
        )}
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
      <dd>{clientName === '' ? 'nothing' : <bdi class="claimed">{quoteCurly(clientName)}</bdi>}</dd>
    </dl>
  );
}
