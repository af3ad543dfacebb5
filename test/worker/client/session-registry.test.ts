import { partNamed } from '#core/objects.ts';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import {
  decideSessionAdmission,
  SESSION_SILENCE_MS_MAX,
  filterUnexpiredSessions,
} from '#client/deployment/session-registry.ts';
import type { OpenSessionEntry } from '#client/deployment/session-registry.ts';

const LIMITS = { perSubject: 2, total: 3 };
const registry = (name: string) => partNamed(env.DEPLOYMENT, name, 'sessions');
const session = (subject: string, name: string) => ({ key: `private/${subject}/${name}`, subject, name });

describe('the registry of open sessions', () => {
  it('gives each user no more sessions than the limit, and names their open sessions', async () => {
    const object = registry('per-subject');
    expect(await object.open(session('ada', 'a'), LIMITS)).toEqual({ granted: true });
    expect(await object.open(session('ada', 'b'), LIMITS)).toEqual({ granted: true });
    expect(await object.open(session('ada', 'c'), LIMITS)).toEqual({
      granted: false,
      scope: 'subject',
      limit: 2,
      open: ['a', 'b'],
    });
    expect(await object.open(session('ada', 'b'), LIMITS)).toEqual({ granted: true });
    await object.closed(session('ada', 'a').key);
    expect(await object.open(session('ada', 'c'), LIMITS)).toEqual({ granted: true });
  });

  it("gives all users together no more than the limit, and shows nobody another user's sessions", async () => {
    const object = registry('total');
    for (const subject of ['ada', 'bob', 'cy']) await object.open(session(subject, 'default'), LIMITS);
    expect(await object.open(session('dee', 'default'), LIMITS)).toEqual({
      granted: false,
      scope: 'deployment',
      limit: 3,
      open: [],
    });
    expect((await object.list('bob')).map(({ name }) => name)).toEqual(['default']);
    expect((await object.list('bob')).map(({ subject }) => subject)).toEqual(['bob']);
  });

  it('never gives out more slots than there are, however many callers ask at once', async () => {
    const object = registry('race');
    const asked = Array.from({ length: 30 }, (_, index) => session('ada', `s${index}`));
    const rooms = await Promise.all(asked.map((one) => object.open(one, { perSubject: 7, total: 100 })));
    expect(rooms.filter(({ granted }) => granted)).toHaveLength(7);
  });

  it('forgets a session that has been silent for longer than a browser survives', () => {
    const entry = (renewedAt: number): OpenSessionEntry => ({ ...session('ada', 'a'), since: 0, renewedAt });
    expect(filterUnexpiredSessions([entry(1)], SESSION_SILENCE_MS_MAX)).toHaveLength(1);
    expect(filterUnexpiredSessions([entry(0)], SESSION_SILENCE_MS_MAX)).toHaveLength(0);
  });

  it('enforces both limits in any order of opening and closing', () => {
    const step = fc.record({
      subject: fc.constantFrom('ada', 'bob', 'cy'),
      name: fc.constantFrom('a', 'b', 'c'),
      opens: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let open: OpenSessionEntry[] = [];
        for (const { subject, name, opens } of steps) {
          const one = session(subject, name);
          const others = open.filter(({ key }) => key !== one.key);
          if (!opens) open = others;
          else if (decideSessionAdmission(one, open, LIMITS).granted)
            open = [...others, { ...one, since: 0, renewedAt: 0 }];
          expect(open.length).toBeLessThanOrEqual(LIMITS.total);
          for (const person of ['ada', 'bob', 'cy']) {
            expect(open.filter((entry) => entry.subject === person).length).toBeLessThanOrEqual(LIMITS.perSubject);
          }
        }
      }),
    );
  });
});
