/** `unseen`: nothing was trained or tuned on it. `seen`: something was. `own`: pages, tasks or questions are ours. */
export type Kind = 'unseen' | 'seen' | 'own';

export type Bench = {
  name: string;
  title: string;
  kind: Kind;
  /** FOLDER and CORPUS are what the note says. */
  command: string;
  note: string;
  /** A commit that changes nothing of it changes no figure. */
  measures: readonly string[];
  /** Of the rivals: names of packages in `bench/rivals`. */
  rivals?: readonly string[];
  /** What is in the way of running it beside other work. */
  isTimed?: true;
};

const READING = ['src/extract', 'src/core', 'generated/models'];
const RANKING = ['src/ranking', 'src/core', 'src/extract'];
const SEARCH = ['src/search', 'src/ranking', 'src/storage/search'];
const BROWSING = ['src/browsing', 'src/tools/browser', 'generated/page-scripts.ts'];
const CORPUS = 'CORPUS has a folder for each of these Debian packages, unpacked with `apt-get download` and `dpkg -x`';

/** Unseen data first. */
export const BENCHES = [
  {
    name: 'shift',
    title: 'Main content, other sites and years',
    kind: 'unseen',
    command: 'node bench/shift.ts FOLDER',
    note: "FOLDER: 495 pages of trafilatura's evaluation set. A choice is checked with it, never made.",
    measures: READING,
  },
  {
    name: 'folds',
    title: 'Main content, sites left out of the training',
    kind: 'unseen',
    command: 'node bench/training/train.ts FOLDER --folds',
    note: 'FOLDER: 1,337 pages of the WCXB development set, in five parts grouped by site. Each part is read by models that were trained on the four others.',
    measures: READING,
  },
  {
    name: 'passages-unseen',
    title: 'Passages that answer a question',
    kind: 'unseen',
    command: 'npm run bench:passages -- CORPUS',
    note: `24 questions in ten languages by somebody who had not seen the ranker. ${CORPUS}: those that \`bench/passages/second-questions.json\` names.`,
    measures: RANKING,
  },
  {
    name: 'miniwob',
    title: 'MiniWoB++',
    kind: 'unseen',
    command: 'npm run bench:miniwob -- FOLDER --seeds 901,902,903',
    note: 'Scripts of ours play, no model: it tells what the tools can do. Seeds that no script had been tried with.',
    measures: BROWSING,
    isTimed: true,
  },
  {
    name: 'extraction',
    title: 'Main content, beside other extractors',
    kind: 'seen',
    command: 'node bench/extraction.ts FOLDER',
    note: 'The same 1,337 pages. The models that ship were trained on them, so compare others with the table of sites left out. The first two read what linkedom parses.',
    measures: READING,
    rivals: ['@mozilla/readability', 'defuddle', 'node-html-markdown'],
  },
  {
    name: 'passages-first',
    title: 'Passages, questions that the ranker was tuned with',
    kind: 'seen',
    command: 'npm run bench:passages -- CORPUS --questions=first',
    note: '64 questions of our own, all looked at.',
    measures: RANKING,
  },
  {
    name: 'local-search',
    title: 'Search of stored pages',
    kind: 'seen',
    command: 'npm run bench:local-search -- FOLDER',
    note: 'FOLDER: public queries with graded pages over the documentation of React and FastAPI. Weights were chosen on them. On all five libraries of the set, 59 queries, others publish MRR .747 (docs-mcp-server) and .733 (Context7).',
    measures: SEARCH,
  },
  {
    name: 'loss',
    title: 'What reading loses inside a page',
    kind: 'own',
    command: 'node bench/loss.ts CORPUS',
    note: 'What counts as lost is our definition. CORPUS has a folder for each package of documentation that is to be read.',
    measures: READING,
  },
  {
    name: 'apps',
    title: 'Tasks in applications',
    kind: 'own',
    command: 'npm run bench:apps',
    note: 'Tasks and players are ours, the applications are not. The same player for all, through the tools of each.',
    measures: BROWSING,
    rivals: ['@playwright/mcp', 'chrome-devtools-mcp'],
    isTimed: true,
  },
  {
    name: 'browser',
    title: 'Browser tools: time and tokens of views',
    kind: 'own',
    command: 'npm run bench:browser -- FOLDER',
    note: 'Seven pages are ours, twelve are the largest of the 1,337. The others run next to their browser, ours is a server with a gate in front of each request.',
    measures: BROWSING,
    rivals: ['@playwright/mcp', 'chrome-devtools-mcp'],
    isTimed: true,
  },
  {
    name: 'load',
    title: 'Many clients',
    kind: 'own',
    command: 'npm run bench:load',
    note: 'The other answers from the memory of one process, without sign-in.',
    measures: ['src'],
    rivals: ['mcp-searxng'],
    isTimed: true,
  },
  {
    name: 'tokens',
    title: 'Tokens of the tools',
    kind: 'own',
    command: 'node bench/tokens.ts',
    note: 'o200k, of name, description and input schema.',
    measures: ['src/tools', 'src/mcp'],
  },
] as const satisfies readonly Bench[];

export type BenchName = (typeof BENCHES)[number]['name'];

export function benchNamed(name: string): Bench | undefined {
  return BENCHES.find((one) => one.name === name);
}
