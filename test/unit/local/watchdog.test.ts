import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { watchServer } from '#scripts/local/watchdog.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

describe('the watchdog', () => {
  /** A server that can be made silent, and its watchdog. */
  async function watched(times: Parameters<typeof watchServer>[0]['times']) {
    const held: (() => void)[] = [];
    const state = { isSilent: false, isComputing: false, cpu: 0, restarts: 0, isGivenUp: false };
    const said: string[] = [];
    const server = createServer((_, response) => {
      const answer = () => response.writeHead(503).end();
      if (state.isSilent) held.push(answer);
      else answer();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const goOn = () => {
      state.isSilent = false;
      for (const answer of held.splice(0)) answer();
    };
    const address = server.address();
    void watchServer({
      url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/healthz`,
      say: (text) => said.push(text),
      cpuMs: async () => (state.isComputing ? (state.cpu += 1_000) : state.cpu),
      restart: () => (state.restarts += 1),
      giveUp: () => (state.isGivenUp = true),
      times: { rest: 1, look: 5, ...times },
    });
    cleanUps.push(
      () => server.closeAllConnections(),
      () => server.close(),
      goOn,
    );
    return { state, said, goOn };
  }

  it('restarts a server that computes without answering, and reports when it answers again', async () => {
    const { state, said, goOn } = await watched({ hung: 50, silent: 60_000, dead: 60_000 });
    Object.assign(state, { isSilent: true, isComputing: true });
    await expect.poll(() => state.restarts, { interval: 5 }).toBe(1);
    expect(said[0]).toContain('it hangs, and is restarted');
    goOn();
    await expect.poll(() => said.at(-1)).toContain('answers again');
    expect(state.isGivenUp).toBe(false);
  });

  it('reports a server that waits without answering, and abandons one that never answers', async () => {
    const { state, said, goOn } = await watched({ hung: 10, silent: 50, dead: 2_000 });
    state.isSilent = true;
    await expect.poll(() => said.length).toBe(1);
    expect(said[0]).toContain('Periscope has not answered for');
    expect(said[0]).toContain('Ctrl-C');
    goOn();
    await expect.poll(() => said.at(-1)).toContain('answers again');
    state.isSilent = true;
    await expect.poll(() => state.isGivenUp).toBe(true);
    expect(said.at(-1)).toContain('was stopped. Start it again with npm start');
    expect(state.restarts).toBe(0);
  });

  it('gives up on a server that hangs after every restart', async () => {
    const { state, said } = await watched({ hung: 10, silent: 60_000, dead: 60_000 });
    Object.assign(state, { isSilent: true, isComputing: true });
    await expect.poll(() => state.isGivenUp).toBe(true);
    expect(state.restarts).toBe(5);
    expect(said.at(-1)).toContain('hung again after 5 restarts and was stopped');
  });
});
