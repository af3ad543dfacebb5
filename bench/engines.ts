/**
 * Measures the configured search engines with your own queries. Usage:
 *
 * BRAVE_API_KEY=… EXA_API_KEY=… npm run bench:engines -- FILE
 *
 * FILE has one query a line, as JSON: {"query": "…", "hosts": ["docs.example.org"]}. Each engine is queried alone and
 * in each pair. A query counts as a hit if one of the first five results is on an expected host. With n engines, each
 * query is sent n times to each engine, at the cost of its owner.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { CONFIG_NAMES, parseConfig } from '#core/config/config.ts';
import { chooseEngines } from '#core/search-engines.ts';
import { createWebEngine } from '#search/configured.ts';
import { memoryLimiter } from '#support/search-world.ts';
import { bestSetting, measureEngines, tableOf } from './engines/measure.ts';

const [file] = process.argv.slice(2);
const lineSchema = z.strictObject({ query: z.string().min(1), hosts: z.array(z.string().min(1)).min(1) });

if (file === undefined) throw new TypeError('Name the file of queries: npm run bench:engines -- FILE');
const queries = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => lineSchema.parse(JSON.parse(line)));
const given = Object.fromEntries(
  CONFIG_NAMES.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
);
const config = parseConfig(given);
const http = {
  fetch: (url: string, init: RequestInit) => fetch(url, init),
  now: Date.now,
  sleep: async (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }),
  random: Math.random,
};
const deps = {
  http,
  userAgent: config.USER_AGENT ?? 'Periscope (bench:engines)',
  limiter: () => memoryLimiter(Date.now),
  cloudflare: { websearch: null, spend: async () => null },
};
const engines = chooseEngines(config).engines.flatMap((engine) =>
  engine === 'local' ? [] : createWebEngine(engine, config, deps),
);
if (engines.length === 0) throw new TypeError('No engine is set up: set keys in the environment (docs/search.md)');
console.log(`${queries.length} queries, ${engines.map(({ name }) => name).join(', ')}, alone and two at once`);
const figures = await measureEngines(engines, queries, Date.now);
console.log(tableOf(figures));
const setting = bestSetting(figures);
if (setting !== null) console.log(`Best here: ${setting}`);
