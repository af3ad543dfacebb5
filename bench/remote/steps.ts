import { CATALOG } from '#tools/catalog.ts';

/** Values of earlier answers that later calls need. */
export type Found = { cursor: string; results: string; snapshot: string };
export type Place = { page: string; picture: string };

/** The calls of one tool. */
export type Step = {
  tool: string;
  /** @param round 0 for the cold call */
  args: (found: Found, place: Place, round: number) => Record<string, unknown>;
  /** Stores the values that later calls need. */
  keep?: (text: string, found: Found) => void;
  /** A call before each warm one, which is not measured. */
  before?: { tool: string; args: Record<string, unknown> };
};

const QUOTE = 'The pilot boat leaves the harbour at six every morning.';

/** One step for each tool, in an order that provides what each needs. The cold call of a page has its own address. */
export const STEPS: readonly Step[] = [
  {
    tool: 'open_url',
    args: (_, { page }) => ({ url: page }),
    keep: (text, found) => (found.cursor = /^Cursor: (\S+)$/m.exec(text)?.[1] ?? ''),
  },
  { tool: 'scroll', args: ({ cursor }) => ({ cursor, loc: 0 }) },
  { tool: 'find', args: ({ cursor }) => ({ cursor, pattern: 'pilot' }) },
  { tool: 'find_passages', args: ({ cursor }) => ({ question: 'When does the pilot boat leave?', cursors: [cursor] }) },
  { tool: 'cite', args: ({ cursor }) => ({ cursor, quote: QUOTE }) },
  {
    tool: 'search',
    args: () => ({ query: 'harbour pilot boat' }),
    keep: (text, found) => (found.results = /^Cursor: (\S+)$/m.exec(text)?.[1] ?? ''),
  },
  { tool: 'open_result', args: ({ results }) => ({ cursor: results, result_id: 1 }) },
  { tool: 'web_search', args: () => ({ query: 'harbour pilot boat' }) },
  {
    tool: 'web_open',
    args: (_, { page }) => ({ url: `${page}&whole=1` }),
    keep: (text, found) => (found.snapshot = /^Snapshot: (\S+)/m.exec(text)?.[1] ?? ''),
  },
  { tool: 'web_batch_open', args: (_, { page }) => ({ urls: [`${page}&batch=1`, `${page}&batch=2`] }) },
  { tool: 'cache_get', args: ({ snapshot }) => ({ snapshot }) },
  { tool: 'cache_purge', args: (_, { page }) => ({ domain: new URL(page).hostname, dry_run: true }) },
  { tool: 'web_extract', args: () => ({ html: `<main><h1>Tides</h1><p>${QUOTE}</p></main>` }) },
  { tool: 'follow', args: (_, { page }) => ({ url: page }) },
  { tool: 'changes', args: () => ({}) },
  { tool: 'view_image', args: (_, { picture }) => ({ url: picture }) },
  { tool: 'browser_launch', args: () => ({}) },
  { tool: 'browser_navigate', args: (_, { page }) => ({ url: page }) },
  { tool: 'browser_snapshot', args: () => ({}) },
  { tool: 'browser_click', args: () => ({ selector: '#go' }) },
  { tool: 'browser_fill', args: (_, __, round) => ({ selectors: ['#name'], values: [`Aurora ${round}`] }) },
  { tool: 'browser_type', args: () => ({ selector: '#name', text: 'x' }) },
  { tool: 'browser_do', args: () => ({ steps: ['press Tab'] }) },
  { tool: 'browser_scroll', args: () => ({}) },
  { tool: 'browser_wait', args: () => ({ text: 'Harbour log' }) },
  { tool: 'browser_screenshot', args: () => ({}) },
  { tool: 'browser_point', args: () => ({ action: 'hover', x: 10, y: 10 }) },
  { tool: 'browser_evaluate', args: () => ({ script: 'return 1' }) },
  { tool: 'browser_html', args: () => ({}) },
  { tool: 'browser_read', args: () => ({}) },
  { tool: 'browser_log', args: () => ({ kind: 'console' }) },
  { tool: 'browser_files', args: () => ({ action: 'list' }) },
  { tool: 'browser_handoff', args: () => ({ reason: 'A measurement: nothing to do.' }) },
  { tool: 'browser_close', args: () => ({}), before: { tool: 'browser_launch', args: {} } },
];

/** Tools of the catalog that no step measures. */
export function unmeasuredTools(): string[] {
  const measured = new Set(STEPS.map(({ tool }) => tool));
  return CATALOG.map(({ name }) => name).filter((name) => !measured.has(name));
}
