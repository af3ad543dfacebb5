import { Hono } from 'hono';
import type { Context } from 'hono';
import type { SignedIn } from '#auth/people/sign-ins.ts';
import { PATHS } from '#core/paths.ts';
import type { PeopleStore } from '#storage/people.ts';
import { fieldOf, page } from '#web/answers.ts';
import type { Site } from '#web/answers.ts';
import { clockOf, isZone, wholeTime, zones } from '#web/times.ts';
import { consoleVisitor, continueTo, requireSignIn, withVerifiedForm } from '#web/console/console.tsx';
import type { ConsoleDeps } from '#web/console/console.tsx';
import { Form, Select } from '#web/parts/form.tsx';
import type { Problem } from '#web/parts/form.tsx';
import { ConsolePage } from '#web/console/console-page.tsx';
import type { Visitor } from '#web/console/console-page.tsx';

type ZoneDeps = ConsoleDeps & { people: Pick<PeopleStore, 'setZone'>; now: () => number };

/** `/console/zone`: the time zone in which a person reads times. */
export function zonePage(deps: ZoneDeps): Hono<Site> {
  const app = new Hono<Site>();
  app.get(PATHS.timeZone, (c) => requireSignIn(c, deps, (person) => show(c, deps, person, null)));
  app.post(PATHS.timeZone, (c) =>
    withVerifiedForm(c, deps, async (form, person) => {
      const zone = fieldOf(form, 'zone');
      if (!isZone(zone)) return show(c, deps, person, UNKNOWN);
      await deps.people.setZone(person.subject, zone === 'UTC' ? null : zone);
      return continueTo(c, 'zoned', PATHS.timeZone);
    }),
  );
  return app;
}

const UNKNOWN: Problem = { field: 'zone', text: 'Choose one of the time zones in the list.' };

async function show(c: Context<Site>, deps: ZoneDeps, person: SignedIn, problem: Problem | null) {
  const visitor = await consoleVisitor(c, deps, person);
  return page(c, <TimeZone visitor={visitor} now={deps.now()} problem={problem} />, problem === null ? 200 : 400);
}

function TimeZone({ visitor, now, problem }: { visitor: Visitor; now: number; problem: Problem | null }) {
  const clock = clockOf(visitor.zone, now);
  const byRegion = Map.groupBy(zones(), (zone) => (zone.includes('/') ? zone.slice(0, zone.indexOf('/')) : 'Other'));
  const optionOf = (zone: string) => ({
    value: zone,
    text: zone.slice(zone.indexOf('/') + 1).replaceAll('_', ' '),
  });
  return (
    <ConsolePage
      visitor={visitor}
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
          There it is {wholeTime(now, clock)}.
        </p>
      </Form>
    </ConsolePage>
  );
}
