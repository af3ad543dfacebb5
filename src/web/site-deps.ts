import type { Context } from 'hono';
import type { ZipEntry } from '#account/own-copy.ts';
import type { LivePort } from '#browsing/live-port.ts';
import type { BudgetUse, LeasedAmounts } from '#client/deployment/deployment-budgets.ts';
import type { BudgetLimits } from '#core/budgets.ts';
import type { ObjectCalls } from '#core/objects.ts';
import type { ReportDeps } from '#library/feed/report-changes.ts';
import type { WorkflowRuns } from '#library/follow.ts';
import type { CallEnvironment } from '#mcp/run/run-tool.ts';
import type { SearchProvider } from '#search/provider.ts';
import type { CitationStore } from '#storage/citations.ts';
import type { CounterStore } from '#storage/counters.ts';
import type { ChangeStore } from '#storage/library/changes.ts';
import type { FollowBudget, FollowStore } from '#storage/library/follows.ts';
import type { PersonHistory } from '#storage/person/person-history.ts';
import type { SiteRuleStore } from '#storage/site-rules.ts';
import type { SiteEnv } from './page-response.ts';
import type { PageDeps } from '#web/sign-in/page-deps.ts';

/** Environment of tool calls that a user makes on a page, such as "Try it". */
export type PersonCallEnvironment = Omit<CallEnvironment, 'structured' | 'resourceLinks' | 'opensLinks'>;

/**
 * Names by ID: `callers` are a user's clients and access tokens, `ours` the server's own callers, such as the console.
 */
export type FindClientNames = (
  subject: string,
) => Promise<{ callers: ReadonlyMap<string, string>; ours: ReadonlyMap<string, string> }>;

type Stores = {
  changes: ChangeStore;
  citations: CitationStore;
  counters: CounterStore;
  follows: FollowStore;
  siteRules: SiteRuleStore;
};

/** Dependencies of the pages for signed-in users. A subject of `null` means all users. */
export type SiteDeps = PageDeps & {
  callsOf: (subject: string, ctx: ExecutionContext) => PersonCallEnvironment;
  withinRequestLimit: (subject: string, c: Context<SiteEnv>, answer: () => Promise<Response>) => Promise<Response>;
  stores: () => Stores;
  storeSearch: (subject: string) => SearchProvider;
  /** Scope of web searches in words; `null` if searches cover only the stored pages. */
  webSearch: string | null;
  historyOf: (subject: string) => ObjectCalls<PersonHistory>;
  namesOf: FindClientNames;
  limits: BudgetLimits;
  usedBy: (subject: string) => Promise<BudgetUse>;
  takenByAll: () => Promise<LeasedAmounts>;
  hasBrowser: boolean;
  sessionsOf: (subject: string) => LivePort;
  /** Names of the running sessions that a user may see. */
  openNames: (subject: string) => Promise<readonly string[]>;
  /**
   * Applies the saved rules to running sessions, of one user or (`null`) of all.
   * @returns false if a session did not receive the rules
   */
  tell: (subject: string | null) => Promise<boolean>;
  /** Adds a line to the user's activity. */
  note: (subject: string, tool: string, words: string) => Promise<void>;
  runs: WorkflowRuns;
  followBudget: FollowBudget;
  reports: () => ReportDeps;
  mayShow: (url: string) => boolean;
  isAdmitted: (subject: string, account: unknown) => Promise<boolean>;
  endAccess: (subject: string) => Promise<void>;
  erase: (subject: string) => Promise<void>;
  copyOf: (subject: string) => AsyncIterable<ZipEntry>;
};
