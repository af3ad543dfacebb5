import { Hono } from 'hono';
import type { Context } from 'hono';
import { accountId, accountSchema, describeAccount, configuredRole, resolveRole } from '#auth/people/account.ts';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import type { LeasedAmounts } from '#client/deployment/deployment-budgets.ts';
import { BUDGET_DAY_SLOT_MS } from '#client/limits.ts';
import { DAY_MS } from '#core/limits.ts';
import { PATHS } from '#core/paths.ts';
import { randomBase64Url } from '#core/secrets/sealed.ts';
import { oneLine, sha256Hex } from '#core/text/text.ts';
import { admissionId } from '#storage/admissions.ts';
import type { KnownPerson } from '#storage/people.ts';
import { formText, respondWithPage, setCookies } from '#web/page-response.ts';
import type { SiteEnv } from '#web/page-response.ts';
import {
  continueAfterForm,
  startConsolePage,
  parseNumber,
  requireSignIn,
  withVerifiedForm,
} from '#web/console/console.tsx';
import type { SiteDeps } from '#web/site-deps.ts';
import { PeoplePage } from './people-page.tsx';
import type { ListedPerson } from './people-page.tsx';
import { BrandLink, Layout, MessagePage } from '#web/layout.tsx';
import type { PageDeps } from '#web/sign-in/page-deps.ts';

const INVITATION_BYTES = 24;
const INVITATION_TTL_MS = 7 * DAY_MS;
/** Maximum users per page, because each needs requests to two Durable Objects. */
const PEOPLE_PER_PAGE = 50;
const NOTE_CHARS_MAX = 80;
const USE_DAYS = 30;

/** `/console/people`, for the owner. Other users get 404. */
export function peoplePages(deps: SiteDeps): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>();
  app.all(PATHS.people, async (c, next) => {
    const person = await deps.signIns.read(c.req.raw);
    return person === null || person.owner ? next() : c.notFound();
  });
  app.get(PATHS.people, (c) => requireSignIn(c, deps, (owner) => show(c, deps, owner, { problem: null, link: null })));
  app.post(PATHS.people, (c) => withVerifiedForm(c, deps, (form, owner) => change(c, deps, owner, form)));
  return app;
}

async function change(c: Context, deps: SiteDeps, owner: SignedIn, form: FormData): Promise<Response> {
  const problem = (text: string) => show(c, deps, owner, { problem: text, link: null });
  const { admissions } = deps.people;
  switch (formText(form, 'do')) {
    case 'invite':
      return invite(c, deps, owner, form);
    case 'withdraw':
      return (await admissions.withdraw(formText(form, 'id')))
        ? continueAfterForm(c, 'withdrawn', PATHS.people)
        : problem('That invitation is no longer open.');
    case 'deleteDecision':
      return (await admissions.revokeRefusal(formText(form, 'id'), null))
        ? continueAfterForm(c, 'decisionDeleted', PATHS.people)
        : problem('That decision no longer exists.');
    case 'readmit':
      return readmit(c, deps, owner, formText(form, 'id'));
    case 'refuse':
    case 'erase':
      return end(c, deps, owner, form);
    default:
      return problem('This form was not from here. Use the buttons below.');
  }
}

/**
 * Restores a user's access. A user outside `ALLOWED_USERS`, who was invited, is recorded as allowed, unless the account
 * is no longer known.
 */
async function readmit(c: Context, deps: SiteDeps, owner: SignedIn, id: string): Promise<Response> {
  const { admissions } = deps.people;
  const found = (await admissions.decided()).find((one) => one.id === id);
  const account = accountSchema.safeParse(found?.account);
  const isNamed = !account.success || configuredRole(account.data, deps.config) !== null;
  return (await admissions.revokeRefusal(id, isNamed ? null : 'allowed'))
    ? continueAfterForm(c, 'readmitted', PATHS.people)
    : show(c, deps, owner, { problem: 'The access of that person has not ended.', link: null });
}

/** Ends a user's access. Owners are excluded, because a person with the passphrase could sign in again. */
async function end(c: Context, deps: SiteDeps, owner: SignedIn, form: FormData): Promise<Response> {
  const subject = formText(form, 'subject');
  const people = deps.people;
  const known = await people.find(subject);
  const problem = (text: string) => show(c, deps, owner, { problem: text, link: null });
  if (known === null) return problem('Nothing is known of that person any more.');
  if (subject === owner.subject) return problem('That is you. Your own data is deleted on the page “Account”.');
  if ((await standing(known, deps)) === 'owner') {
    return problem('That is an owner of this server, too. Only they can delete their data.');
  }
  if (formText(form, 'do') === 'erase') {
    await deps.erase(subject);
    return continueAfterForm(c, 'erased', PATHS.people);
  }
  await people.admissions.refuse(subject, known.account);
  await deps.endAccess(subject);
  return continueAfterForm(c, 'refused', PATHS.people);
}

async function standing({ subject, account }: KnownPerson, { people, config }: SiteDeps) {
  const parsed = accountSchema.safeParse(account);
  return parsed.success ? resolveRole(parsed.data, await people.admissions.of(subject), config) : null;
}

/** Invites a user. The link is shown once, because only its hash is stored. */
async function invite(c: Context, deps: SiteDeps, owner: SignedIn, form: FormData): Promise<Response> {
  const note = oneLine(formText(form, 'note'), NOTE_CHARS_MAX);
  const problem = (text: string) => show(c, deps, owner, { problem: text, link: null });
  if (deps.upstreams.length === 0)
    return problem('To invite people, first set up sign-in with GitHub or another provider.');
  if (note === '') return problem('Say whom the invitation is for, so that you can tell it from others.');
  const secret = randomBase64Url(INVITATION_BYTES);
  const now = deps.now();
  const invitation = {
    id: await sha256Hex(secret),
    subject: owner.subject,
    note,
    createdAt: now,
    expiresAt: now + INVITATION_TTL_MS,
  };
  const hasRoom = await deps.people.admissions.invite(invitation);
  if (!hasRoom) return problem('There are too many open invitations. Withdraw one first.');
  return show(c, deps, owner, { problem: null, link: { to: `${deps.origin}${PATHS.invitation}/${secret}`, note } });
}

type Said = { problem: string | null; link: { to: string; note: string } | null };

async function show(c: Context, deps: SiteDeps, owner: SignedIn, { problem, link }: Said): Promise<Response> {
  const from = parseNumber(c.req.query('from')) ?? 0;
  const { admissions } = deps.people;
  const respond = startConsolePage(c, deps, owner);
  const [found, decided, invitations] = await Promise.all([
    deps.people.list(from, PEOPLE_PER_PAGE + 1),
    admissions.decided(),
    admissions.invitations(),
  ]);
  const shown = await Promise.all(found.slice(0, PEOPLE_PER_PAGE).map((one) => listed(one, deps, owner)));
  const met = new Set(shown.map(({ decisionId }) => decisionId));
  const others = decided.filter(({ id }) => !met.has(id));
  const view = {
    people: shown.map((one) => ({
      ...one,
      decision: decided.find(({ id }) => id === one.decisionId) ?? null,
    })),
    others: others.map((one) => ({ ...one, name: describeAccount(one.account) })),
    invitations,
    allowed: deps.config.ALLOWED_USERS,
    providers: deps.upstreams.map(({ label }) => label),
    next: found.length > PEOPLE_PER_PAGE ? `${PATHS.people}?from=${from + PEOPLE_PER_PAGE}` : null,
    noteMax: NOTE_CHARS_MAX,
    origin: deps.origin,
    problem,
    link,
  };
  return respond(<PeoplePage {...view} />, problem === null ? 200 : 409);
}

async function listed(known: KnownPerson, deps: SiteDeps, owner: SignedIn): Promise<ListedPerson> {
  const { subject, account, lastSeenAt: seenAt } = known;
  const now = deps.now();
  const [role, taken, use, decisionId] = await Promise.all([
    standing(known, deps),
    deps.usedBy(subject),
    deps.historyOf(subject).use(now - USE_DAYS * DAY_MS),
    admissionId(subject),
  ]);
  const used = taken.used ?? taken;
  const lastDay = (name: keyof LeasedAmounts) =>
    used[name].reduce((sum, [slot, amount]) => (slot * BUDGET_DAY_SLOT_MS > now - DAY_MS ? sum + amount : sum), 0);
  return {
    subject,
    decisionId,
    name: describeAccount(account) ?? 'An account that this server cannot read',
    accountId: accountId(account),
    role,
    isSelf: subject === owner.subject,
    seenAt,
    lastDay: { calls: lastDay('calls'), searches: lastDay('searches'), browserMs: lastDay('browser_ms') },
    callsOfMonth: use.days.reduce((sum, { calls }) => sum + calls, 0),
  };
}

const SECRET = /^[\w-]{32}$/;

/** `/invitation/<secret>`: page for an invited user. Signing in from this page accepts the invitation. */
export function invitationPages(deps: PageDeps): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>();
  app.get(`${PATHS.invitation}/:secret`, async (c) => {
    c.header('X-Robots-Tag', 'noindex, nofollow');
    c.header('Referrer-Policy', 'no-referrer');
    const secret = c.req.param('secret');
    const invitation = SECRET.test(secret) ? await deps.people.admissions.invitation(await sha256Hex(secret)) : null;
    if (invitation === null || deps.upstreams.length === 0) {
      deps.refused('invitation_unknown', 404);
      return respondWithPage(c, <MessagePage {...NOT_OPEN} />, 404);
    }
    const { token, setCookie } = await deps.signIns.startForm(c.req.raw);
    setCookies(c, [setCookie]);
    return respondWithPage(
      c,
      <Invited host={new URL(deps.origin).host} form={token} invitation={secret} ways={deps.upstreams} />,
      200,
    );
  });
  return app;
}

const NOT_OPEN = {
  title: 'This invitation is no longer valid',
  text: 'The invitation was used or withdrawn, or is older than seven days. Ask the person who sent it for a new one.',
};

type Props = { host: string; form: string; invitation: string; ways: readonly { way: string; label: string }[] };

function Invited({ host, form, invitation, ways }: Props) {
  return (
    <Layout title="You are invited – Periscope" width="sheet">
      <BrandLink host={host} />
      <h1>You are invited</h1>
      <p class="lead">Sign in to accept. From then on you can sign in here with that account.</p>
      <p class="facts">
        Periscope lets language models search, read and cite the web and drive a browser. The owner of this server sees
        who you are and how much you use the server, and can end your access. <a href={PATHS.privacy}>What is stored</a>
      </p>
      <form method="post" action={PATHS.signInUpstream}>
        <input type="hidden" name="form" value={form} />
        <input type="hidden" name="next" value={PATHS.console} />
        <input type="hidden" name="client" value="" />
        <input type="hidden" name="invitation" value={invitation} />
        <div class="ways">
          {ways.map(({ way, label }) => (
            <button type="submit" name="way" value={way}>
              Accept with {label}
            </button>
          ))}
        </div>
      </form>
    </Layout>
  );
}
