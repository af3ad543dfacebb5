import type { Bundle } from '#scripts/local/bundle.ts';
import { startRuntime } from '#scripts/local/runtime.ts';
import { builtWorker } from './built-worker.ts';

const CLOCK_PATH = '/clock-of-a-test';

/** The built Worker behind a port of this machine, with a clock that the test moves. */
export type ClockedServer = {
  mcpUrl: string;
  /** Moves the clock of the Worker and its objects forward. */
  pass: (ms: number) => Promise<void>;
  close: () => Promise<void>;
};

/** @param settings of the Worker, over the vars of wrangler.toml; it has no browser unless they set RENDER_ENABLED */
export async function startClockedServer(settings: Record<string, string>): Promise<ClockedServer> {
  const { home, remove, port, config, bundle, values } = await builtWorker(settings);
  const logFormat = 'json';
  const unheard = { takeLine: () => false, onCrash: () => undefined };
  const clocked = withClock(bundle);
  const runtime = await startRuntime({ config, bundle: clocked, values, port, data: home, logFormat, ...unheard });
  const origin = `http://localhost:${port}`;
  return {
    mcpUrl: `${origin}/mcp`,
    pass: async (ms) => void (await fetch(`${origin}${CLOCK_PATH}?ms=${ms}`)),
    close: async () => {
      await runtime.stop();
      remove();
    },
  };
}

/** The unchanged Worker behind a module of the test, which replaces `Date.now` before the Worker is loaded. */
function withClock({ mainModule, modules, sourceMap }: Bundle): Bundle {
  const clock = `
    const timeOfDay = Date.now;
    let passed = 0;
    Date.now = () => timeOfDay() + passed;
    // Its log lines would appear between those of the tests.
    for (const level of ['log', 'info', 'warn']) console[level] = () => undefined;
    export const pass = (ms) => { passed += ms; };`;
  const door = `
    import { pass } from './clock.js';
    import worker from './${mainModule}';
    export * from './${mainModule}';
    export default {
      ...worker,
      fetch(request, env, ctx) {
        const { pathname, searchParams } = new URL(request.url);
        if (pathname !== '${CLOCK_PATH}') return worker.fetch(request, env, ctx);
        pass(Number(searchParams.get('ms')));
        return new Response(null, { status: 204 });
      },
    };`;
  return {
    sourceMap,
    mainModule: 'clocked.js',
    modules: {
      ...modules,
      'clock.js': { type: 'esm', contents: clock },
      'clocked.js': { type: 'esm', contents: door },
    },
  };
}
