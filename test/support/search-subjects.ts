import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { describeFailure } from '#tools/describe-failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { braveProvider } from '#search/brave.ts';
import { localProvider } from '#search/local.ts';
import type { SearchProvider, SearchQuery } from '#search/provider.ts';
import { searxngProvider } from '#search/searxng.ts';
import { openDb } from '#storage/db.ts';
import { PageIndex } from '#storage/search/page-index.ts';
import { failureOf } from '#support/net-world.ts';
import { braveAnswer, CANARY, searxngAnswer } from '#support/search-answers.ts';
import type { FoundPage } from '#support/search-answers.ts';
import { storeIndexedPage } from '#support/search-index.ts';
import { openLimiter, plenty, searchWorld } from '#support/search-world.ts';
import type { Sent } from '#support/search-world.ts';

/** The providers, each over a service that a test plays. */
export type Subject = {
  name: string;
  /** A provider whose service knows just these pages. */
  over: (pages: readonly FoundPage[]) => Promise<{ provider: SearchProvider; sent: Sent[] }>;
};

const INSTANCE_PAGE = 10;

export function brave(answer: (request: Sent, count: number) => Response) {
  const world = searchWorld(answer);
  const { http, sent } = world;
  return {
    provider: braveProvider({ key: 'a-key', userAgent: 'Periscope/test', limiter: openLimiter, http }),
    sent,
    world,
  };
}

export function searxng(answer: (request: Sent, count: number) => Response) {
  const world = searchWorld(answer);
  const { http, sent } = world;
  return {
    provider: searxngProvider({ base: 'http://10.0.0.7:8888/', userAgent: 'Periscope/test', http }),
    sent,
    world,
  };
}

export const subjects: Subject[] = [
  {
    name: 'brave',
    over: async (pages) =>
      brave(({ url }) => {
        const count = Number(url.searchParams.get('count'));
        const from = count * Number(url.searchParams.get('offset'));
        return braveAnswer(pages.slice(from, from + count), { more: pages.length > from + count });
      }),
  },
  {
    name: 'searxng',
    over: async (pages) =>
      searxng(({ url }) => {
        const from = INSTANCE_PAGE * (Number(url.searchParams.get('pageno')) - 1);
        return searxngAnswer(pages.slice(from, from + INSTANCE_PAGE));
      }),
  },
  {
    name: 'local',
    over: async (pages) => {
      for (const page of pages) await storeIndexedPage(page);
      return { provider: localProvider(new PageIndex(openDb(env.DB))), sent: [] };
    },
  },
];

export const walruses = (count: number): FoundPage[] =>
  Array.from({ length: count }, (_, n) => ({
    url: `https://walrus.example/${n}`,
    title: `Walrus ${n}`,
    text: `A walrus has tusks, says page ${n}.`,
  }));

export const ask = (provider: SearchProvider, query: Partial<SearchQuery> = {}) =>
  provider.search({ query: 'walrus', count: 5, ...query }, plenty());

/** A failure and what a caller is told of it, which must hold nothing of the service's own words. */
export async function toldOf(provider: SearchProvider): Promise<{ failure: Failure; message: string }> {
  const failure = await failureOf(ask(provider));
  const report = describeFailure(failure);
  expect(JSON.stringify(report)).not.toContain(CANARY);
  return { failure, message: report.message };
}
