import { env } from 'cloudflare:workers';
import { replaced } from './replaced.ts';

/** Time in ms for which other locations may read an old value. Cloudflare says of KV: "60 seconds or more". */
const OLD_MS = 300_000;

type Old = { text: string | null; until: number };

/**
 * The key-value store as other locations see it during `work`. Every other read of a name that was written in the last
 * five minutes returns the value before that, lists lack new names, and answers arrive late and out of order. A name
 * that did not exist before is found, as on Cloudflare.
 * @returns also the number of outdated answers
 */
export async function withLateStore<T>(work: () => Promise<T>): Promise<{ result: T; old: number }> {
  const store: object = Object.getPrototypeOf(env.OAUTH_KV);
  const read: (...args: unknown[]) => Promise<string | null> = Reflect.get(store, 'get');
  const before = new Map<string, Old>();
  let answers = 0;
  let old = 0;
  const late = () => scheduler.wait(((answers += 1) * 7) % 5);
  const oldOf = (name: unknown) => {
    const kept = before.get(String(name));
    return kept === undefined || kept.until <= Date.now() ? null : kept;
  };
  const undo = [
    replaced(store, 'get', async (get, self, args) => {
      const [name, how] = args;
      await late();
      const kept = oldOf(name);
      if (kept === null || kept.text === null || (answers * 5) % 7 > 3) return Reflect.apply(get, self, args);
      old += 1;
      return isJson(how) ? JSON.parse(kept.text) : kept.text;
    }),
    replaced(store, 'list', async (list, self, args) => {
      const page: unknown = await Reflect.apply(list, self, args);
      if (!isPage(page)) throw new TypeError('a list was expected');
      const keys = page.keys.filter(({ name }) => oldOf(name)?.text !== null);
      old += page.keys.length - keys.length;
      return { ...page, keys };
    }),
    ...['put', 'delete'].map((method) =>
      replaced(store, method, async (write, self, args) => {
        const [name] = args;
        const text = await Reflect.apply(read, self, [name]);
        before.set(String(name), { text, until: Date.now() + OLD_MS });
        await late();
        return Reflect.apply(write, self, args);
      }),
    ),
  ];
  try {
    const result = await work();
    return { result, old };
  } finally {
    for (const back of undo) back();
  }
}

function isPage(value: unknown): value is { keys: { name: string }[] } {
  return typeof value === 'object' && value !== null && Array.isArray(Reflect.get(value, 'keys'));
}

function isJson(how: unknown): boolean {
  return how === 'json' || (typeof how === 'object' && how !== null && Reflect.get(how, 'type') === 'json');
}
