import { Hono } from 'hono';
import type { Context } from 'hono';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import { PATHS } from '#core/paths.ts';
import { formText, respondWithPage, setCookies } from '#web/page-response.ts';
import type { SiteEnv } from '#web/page-response.ts';
import { MessagePage } from '#web/layout.tsx';
import { Actions, Form, Select } from '#web/parts/form.tsx';
import { ConsolePage, useVisitor } from '#web/console/console-page.tsx';
import { startConsolePage, requireSignIn, withVerifiedForm, continueAfterForm } from '#web/console/console.tsx';
import type { SiteDeps } from '#web/site-deps.ts';
import type { PageDeps } from '#web/sign-in/page-deps.ts';
import { zipStream } from '#account/own-copy.ts';
import { createPageClock, isTimeZone, fullTime, timeZones } from '#web/times.ts';
import type { FormInputProblem } from '#web/parts/form.tsx';

/** `/console/account`: forms to download or delete the user's data. */
export function accountPages(deps: SiteDeps): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>();
  app.get(PATHS.account, (c) => requireSignIn(c, deps, (person) => show(c, deps, person)));
  app.post(PATHS.account, (c) =>
    withVerifiedForm(c, deps, async (form, person) => {
      if (formText(form, 'do') !== 'erase') return c.notFound();
      await deps.erase(person.subject);
      setCookies(c, [await deps.signIns.close(c.req.raw)]);
      return respondWithPage(c, <MessagePage {...ERASED} />, 200);
    }),
  );
  app.get(PATHS.accountExport, (c) => requireSignIn(c, deps, ({ subject }) => send(c, deps, subject)));
  return app;
}

const ERASED = {
  title: 'Everything that was yours is deleted',
  text: 'You are signed out, and your clients and tokens no longer work. Within the hour, the server also deletes anything that calls still running at that moment stored.',
};

function send(c: Context<SiteEnv>, { copyOf }: SiteDeps, subject: string): Response {
  return c.body(zipStream(copyOf(subject)), 200, {
    'content-type': 'application/zip',
    'content-disposition': 'attachment; filename="periscope.zip"',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
}

async function show(c: Context, deps: SiteDeps, person: SignedIn): Promise<Response> {
  return startConsolePage(c, deps, person)(<Account />);
}

function Account() {
  const { isOwner, name } = useVisitor();
  return (
    <ConsolePage
      title="Account"
      at={PATHS.account}
      lead={
        <>
          {name === null ? (
            'You sign in with the passphrase of this server.'
          ) : (
            <>
              You sign in as <bdi>{name}</bdi>.
            </>
          )}
          {isOwner ? ' You are an owner of this server.' : ''}
        </>
      }
    >
      <h2>Download your data</h2>
      <p>
        A ZIP file with your citations, activity, steps of sessions, files, what you follow and what changed in it, and
        your settings. It leaves out the full text of stored pages and the pictures of steps. It also leaves out the
        values of your secrets and the sign-ins of sessions, which cannot be read back. The file <code>README.txt</code>{' '}
        in it lists all of this.
      </p>
      <p>
        <a class="button" href={PATHS.accountExport} download>
          Download the copy
        </a>
      </p>
      <h2>Delete everything</h2>
      <p>
        All that this server has stored of you is deleted, public links included, and your clients and tokens stop
        working. {isOwner ? 'You stay the owner: sign in again, and you start over.' : null}
      </p>
      <Actions to={PATHS.account} actions={[{ label: 'Delete everything', sends: { do: 'erase' }, asks: 'eraseMe' }]} />
    </ConsolePage>
  );
}

/** `/console/zone`: sets the time zone in which a user reads times. */
export function timeZonePage(deps: PageDeps): Hono<SiteEnv> {
  const app = new Hono<SiteEnv>();
  app.get(PATHS.timeZone, (c) => requireSignIn(c, deps, (person) => showZone(c, deps, person, null)));
  app.post(PATHS.timeZone, (c) =>
    withVerifiedForm(c, deps, async (form, person) => {
      const zone = formText(form, 'zone');
      if (!isTimeZone(zone)) return showZone(c, deps, person, UNKNOWN);
      await deps.people.setZone(person.subject, zone === 'UTC' ? null : zone);
      return continueAfterForm(c, 'zoned', PATHS.timeZone);
    }),
  );
  return app;
}

const UNKNOWN: FormInputProblem = { field: 'zone', text: 'Choose one of the time zones in the list.' };

async function showZone(c: Context<SiteEnv>, deps: PageDeps, person: SignedIn, problem: FormInputProblem | null) {
  const respond = startConsolePage(c, deps, person);
  return respond(<TimeZone now={deps.now()} problem={problem} />, problem === null ? 200 : 400);
}

function TimeZone({ now, problem }: { now: number; problem: FormInputProblem | null }) {
  const clock = createPageClock(useVisitor().zone, now);
  const byRegion = Map.groupBy(timeZones(), (zone) =>
    zone.includes('/') ? zone.slice(0, zone.indexOf('/')) : 'Other',
  );
  const optionOf = (zone: string) => ({
    value: zone,
    text: zone.slice(zone.indexOf('/') + 1).replaceAll('_', ' '),
  });
  return (
    <ConsolePage
      title="Time zone"
      at={PATHS.account}
      lead="The console shows times in this zone, on every device on which you sign in."
    >
      <Form to={PATHS.timeZone} submit="Save" problem={problem}>
        <Select
          name="zone"
          label="Time zone"
          described="now"
          chosen={clock.zone}
          options={new Map([...byRegion].map(([region, names]) => [region, names.map(optionOf)]))}
        />
        <p class="facts" id="now">
          It is now {fullTime(now, clock)}.
        </p>
      </Form>
    </ConsolePage>
  );
}
