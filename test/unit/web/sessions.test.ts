import { expect, it } from 'vitest';
import { listedSessions } from '#web/sessions/sessions.tsx';
import type { ListedSessionsDeps } from '#web/sessions/sessions.tsx';

const used = (name: string, usedAt: number) => ({
  name,
  usedAt,
  url: null,
  title: null,
  picture: null,
  hasSteps: true,
});
const overview = {
  state: 'open',
  isDriven: false,
  asked: null,
  tabs: [],
  restsAt: null,
  paidMs: 0,
  settings: { geolocation: null },
};

it('lists sessions that are open before ended ones, however many ended later', async () => {
  const ended = Array.from({ length: 70 }, (_, n) => used(`ended-${n}`, 1_000 - n));
  const deps = {
    openNames: async () => ['unused', 'early', 'late'],
    historyOf: () => ({ sessions: async () => [...ended, used('late', 20), used('early', 10)] }),
    sessionsOf: () => ({
      overview: async (name: string) => (name.startsWith('ended') ? null : { ...overview, usedAt: 0 }),
    }),
  } as unknown as ListedSessionsDeps;
  const names = (await listedSessions(deps, 'ana')).map(({ name }) => name);
  expect(names.slice(0, 4)).toEqual(['late', 'early', 'unused', 'ended-0']);
  expect(names).toHaveLength(60);
});
