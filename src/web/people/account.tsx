import { Hono } from 'hono';
import type { Context } from 'hono';
import { displayNameOf, linkedSubject, upstreamAccountSchema } from '#auth/people/account.ts';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import { PATHS } from '#core/paths.ts';
import type { PersonStore } from '#storage/people.ts';
import { fieldOf, page, setCookies } from '#web/answers.ts';
import type { Site } from '#web/answers.ts';
import { Message } from '#web/layout.tsx';
import { ActionForm, ConsolePage, Timestamp } from '#web/console/console-page.tsx';
import type { Visitor } from '#web/console/console-page.tsx';
import { consoleVisitor, continueTo, requireSignIn, withVerifiedForm } from '#web/console/console.tsx';
import type { ConsoleDeps } from '#web/console/console.tsx';
import type { SignIns } from '#auth/people/sign-ins.ts';
import { zipStream } from './zip-stream.ts';
import type { ZipEntry } from './zip-stream.ts';

export type AccountDeps = ConsoleDeps & {
  signIns: Pick<SignIns, 'close' | 'linkLock'>;
  ownerSubject: string;
  /** Whether people sign in at a provider. */
  hasProviders: boolean;
  people: () => Pick<PersonStore, 'find' | 'admissions'>;
  /** Ends tokens and connections that the owner made through a linked account, by that account's own subject. */
  endThrough: (own: string) => Promise<void>;
  erase: (subject: string) => Promise<void>;
  /** All that is in the copy of what is a person's, in order. */
  copyOf: (subject: string) => AsyncIterable<ZipEntry>;
};

/** `/console/account`: a copy of what is a person's, and the end of it. */
export function accountPages(deps: AccountDeps): Hono<Site> {
  const app = new Hono<Site>();
  app.get(PATHS.account, (c) => requireSignIn(c, deps, (person) => show(c, deps, person)));
  app.post(PATHS.account, (c) =>
    withVerifiedForm(c, deps, async (form, person) => {
      if (fieldOf(form, 'do') !== 'erase') return changeLink(c, deps, person, form);
      await deps.erase(person.subject);
      setCookies(c, [await deps.signIns.close(c.req.raw)]);
      return page(c, <Message {...ERASED} />, 200);
    }),
  );
  app.get(PATHS.accountExport, (c) =>
    requireSignIn(c, deps, async (person) => {
      const of = c.req.query('of');
      const subject = of === undefined ? person.subject : (await linkWith(of, deps, person))?.own;
      return subject === undefined ? c.notFound() : send(c, deps, subject);
    }),
  );
  return app;
}

/** An account that is linked to the owner, and what it had before: that has its own subject. */
type Link = {
  id: string;
  own: string;
  name: string;
  linkedAt: number;
  /** Not under an earlier passphrase. */
  isCurrent: boolean;
  hadSomething: boolean;
};

/** Empty for everybody but the owner. */
async function linksOf({ subject }: SignedIn, { ownerSubject, people, signIns }: AccountDeps): Promise<Link[]> {
  if (subject !== ownerSubject) return [];
  const lock = await signIns.linkLock();
  const found = await people().admissions.linked();
  const links = found.map(async ({ id, account, decidedAt, lock: ofLink }) => {
    const linked = upstreamAccountSchema.parse(account);
    const own = linkedSubject(linked) ?? '';
    const hadSomething = (await people().find(own)) !== null;
    return {
      id,
      own,
      name: displayNameOf(linked) ?? '',
      linkedAt: decidedAt,
      isCurrent: ofLink === lock,
      hadSomething,
    };
  });
  return Promise.all(links);
}

async function linkWith(id: string, deps: AccountDeps, person: SignedIn): Promise<Link | undefined> {
  return (await linksOf(person, deps)).find((link) => link.id === id);
}

async function changeLink(c: Context, deps: AccountDeps, person: SignedIn, form: FormData): Promise<Response> {
  const link = await linkWith(fieldOf(form, 'id'), deps, person);
  if (link === undefined) return page(c, <Message {...NOT_LINKED} />, 409);
  if (fieldOf(form, 'do') === 'eraseLinked') {
    await deps.erase(link.own);
    return continueTo(c, 'earlierDeleted', PATHS.account);
  }
  await deps.people().admissions.unlink(link.id);
  await deps.endThrough(link.own);
  return continueTo(c, 'unlinked', PATHS.account);
}

const NOT_LINKED = {
  title: 'That account is not linked any more',
  text: 'Nothing has changed.',
  link: { to: PATHS.account, label: 'Account' },
};

const ERASED = {
  title: 'Everything that was yours is deleted',
  text: 'You are signed out, and your clients and tokens no longer work. Within the hour, the server looks once more for what a call that was still at work may have stored.',
};

function send(c: Context<Site>, { copyOf }: AccountDeps, subject: string): Response {
  return c.body(zipStream(copyOf(subject)), 200, {
    'content-type': 'application/zip',
    'content-disposition': 'attachment; filename="periscope.zip"',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
}

async function show(c: Context, deps: AccountDeps, person: SignedIn): Promise<Response> {
  const [visitor, links] = await Promise.all([consoleVisitor(c, deps, person), linksOf(person, deps)]);
  const mayLink = person.account.way === 'passphrase' && deps.hasProviders;
  return page(c, <Account visitor={visitor} links={links} mayLink={mayLink} />, 200);
}

function Account({ visitor, links, mayLink }: { visitor: Visitor; links: readonly Link[]; mayLink: boolean }) {
  const { isOwner, name, form } = visitor;
  return (
    <ConsolePage visitor={visitor} title="Account" at={PATHS.account}>
      <p class="lead">
        {name === null ? (
          'You sign in with the passphrase of this server.'
        ) : (
          <>
            You sign in as <bdi>{name}</bdi>.
          </>
        )}
        {isOwner ? ' You are an owner of this server.' : ''}
      </p>
      {links.length === 0 && !mayLink ? null : <Links links={links} mayLink={mayLink} form={form} />}
      <h2>A copy of what is yours</h2>
      <p>
        A ZIP file with your citations, activity, steps of sessions, files, what you follow and what changed in it, and
        your settings. Not in it: the values of your secrets and what sessions keep of their sign-ins, which nobody can
        read back; the whole text of stored pages; and pictures of steps. The file <code>README.txt</code> in it says
        the same.
      </p>
      <p>
        <a href={PATHS.accountExport} download>
          Download the copy
        </a>
      </p>
      <h2>Delete everything</h2>
      <p>
        All that this server has stored of you is deleted, public links included, and your clients and tokens stop
        working. {isOwner ? 'You stay the owner: sign in again, and you start over.' : null}
        {links.length === 0 ? null : ' Linked accounts are unlinked, and keep their own earlier data.'}
      </p>
      <div class="actions">
        <ActionForm
          to={PATHS.account}
          form={form}
          fields={{ do: 'erase' }}
          label="Delete everything"
          confirm="eraseMe"
        />
      </div>
    </ConsolePage>
  );
}

function Links({ links, mayLink, form }: { links: readonly Link[]; mayLink: boolean; form: string }) {
  return (
    <>
      <h2>Linked accounts</h2>
      {links.length === 0 ? (
        <p>
          Link an account, such as a GitHub account, to sign in without typing the passphrase. Keep the passphrase set:
          links depend on it.
        </p>
      ) : (
        <ul class="cards">
          {links.map((link) => (
            <Card link={link} form={form} />
          ))}
        </ul>
      )}
      {mayLink ? (
        <p>
          <a href={PATHS.accountLink}>{links.length === 0 ? 'Link an account' : 'Link another account'}</a>
        </p>
      ) : null}
    </>
  );
}

function Card({ link, form }: { link: Link; form: string }) {
  const { id, name, linkedAt, isCurrent, hadSomething } = link;
  const common = { to: PATHS.account, form, about: name };
  return (
    <li>
      <div>
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        {isCurrent ? null : <span class="doubt">no longer works</span>}
        <p class="facts">
          linked <Timestamp at={linkedAt} precise />
          {isCurrent ? '' : ', under an earlier passphrase or SESSION_SECRET. Link it again'}
        </p>
        {hadSomething ? (
          <p class="facts">
            It had stored data before you linked it.{' '}
            <a href={`${PATHS.accountExport}?of=${id}`} download>
              Download that data
            </a>
          </p>
        ) : null}
      </div>
      <div class="actions">
        {hadSomething ? (
          <ActionForm
            {...common}
            fields={{ do: 'eraseLinked', id }}
            label="Delete its earlier data"
            confirm="eraseLinked"
          />
        ) : null}
        <ActionForm {...common} fields={{ do: 'unlink', id }} label="Unlink" confirm="unlink" />
      </div>
    </li>
  );
}
