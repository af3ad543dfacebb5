import type { Context } from 'hono';
import type { ZipEntry } from '#account/own-copy.ts';
import type { LivePort } from '#browsing/live-port.ts';
import type { BudgetUse, DayTaken } from '#client/deployment/deployment-budgets.ts';
import type { BudgetLimits } from '#core/budgets.ts';
import type { ObjectCalls } from '#core/objects.ts';
import type { ReportDeps } from '#library/feed/report-changes.ts';
import type { Runs } from '#library/follow.ts';
import type { CallEnvironment } from '#mcp/run/run-tool.ts';
import type { SearchProvider } from '#search/provider.ts';
import type { CitationStore } from '#storage/citations.ts';
import type { CounterStore } from '#storage/counters.ts';
import type { ChangeStore } from '#storage/library/changes.ts';
import type { FollowBudget, FollowStore } from '#storage/library/follows.ts';
import type { PersonHistory } from '#storage/person/person-history.ts';
import type { SiteRuleStore } from '#storage/site-rules.ts';
import type { Site } from './answers.ts';
import type { PageDeps } from '#web/sign-in/page-deps.ts';

/** The environment of calls that a person makes on a page. */
export type PersonCallEnvironment = Omit<CallEnvironment, 'structured' | 'resourceLinks' | 'opensLinks'>;

/**
 * Names by id: of a person's clients and access tokens, and of the server's own callers, which act without a
 * connection.
 */
export type NamesOf = (
  subject: string,
) => Promise<{ callers: ReadonlyMap<string, string>; ours: ReadonlyMap<string, string> }>;

type Stores = {
  changes: ChangeStore;
  citations: CitationStore;
  counters: CounterStore;
  follows: FollowStore;
  siteRules: SiteRuleStore;
};

/** The parts of the server behind the pages of signed-in people. A subject of `null` stands for everyone. */
export type SiteDeps = PageDeps & {
  callsOf: (subject: string, ctx: ExecutionContext) => PersonCallEnvironment;
  withinRequestLimit: (subject: string, c: Context<Site>, answer: () => Promise<Response>) => Promise<Response>;
  stores: () => Stores;
  storeSearch: (subject: string) => SearchProvider;
  /** Scope of web searches in words; `null` if searches only cover the stored pages. */
  webSearch: string | null;
  historyOf: (subject: string) => ObjectCalls<PersonHistory>;
  namesOf: NamesOf;
  limits: BudgetLimits;
  usedBy: (subject: string) => Promise<BudgetUse>;
  takenByAll: () => Promise<DayTaken>;
  hasBrowser: boolean;
  sessionsOf: (subject: string) => LivePort;
  /** Names of the running sessions that a person may see. */
  openNames: (subject: string) => Promise<readonly string[]>;
  /**
   * Applies saved rules to running sessions.
   * @returns false if a session did not receive the rules
   */
  tell: (subject: string | null) => Promise<boolean>;
  /** Adds a line to the person's activity. */
  note: (subject: string, tool: string, words: string) => Promise<void>;
  runs: Runs;
  followBudget: FollowBudget;
  reports: () => ReportDeps;
  mayShow: (url: string) => boolean;
  isAdmitted: (subject: string, account: unknown) => Promise<boolean>;
  endAccess: (subject: string) => Promise<void>;
  erase: (subject: string) => Promise<void>;
  copyOf: (subject: string) => AsyncIterable<ZipEntry>;
};
