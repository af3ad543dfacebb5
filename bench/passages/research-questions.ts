/**
 * A research: what a model asks of the pages that a search or a table of contents gave it. `facts`: words that must stand
 * together in the text that it is shown; of a list of words, one. `next`: what it asks of the same pages when a fact is missing.
 * `also`: other phrasings for the first call, from the question alone, written by a model that had seen what the question finds.
 */
export type Research = {
  folder: string;
  pages: readonly string[];
  ask: string;
  also?: readonly string[];
  next: string;
  facts: readonly (readonly (string | readonly string[])[])[];
};

export const SEEN_RESEARCHES: readonly Research[] = [
  {
    folder: 'sqlite3-doc/**/sqlite3',
    pages: [
      'wal.html',
      'pragma.html',
      'isolation.html',
      'lockingv3.html',
      'faq.html',
      'limits.html',
      'atomiccommit.html',
    ],
    ask: 'When does SQLite checkpoint the WAL automatically, and does WAL work over a network filesystem?',
    next: 'WAL network filesystem',
    facts: [['1000 pages'], ['network filesystem']],
  },
  {
    folder: 'postgresql-doc-15/**/html',
    pages: [
      'runtime-config-wal.html',
      'wal-configuration.html',
      'runtime-config-resource.html',
      'runtime-config-replication.html',
      'continuous-archiving.html',
      'wal-async-commit.html',
      'monitoring-stats.html',
      'populate.html',
    ],
    ask: 'What are the defaults of max_wal_size and checkpoint_timeout, and may a crash lose transactions with synchronous_commit off?',
    next: 'asynchronous commit risk of losing transactions after a crash',
    facts: [['1 gb'], ['five minutes'], ['lost']],
  },
  {
    folder: 'python-django-doc/**/html',
    pages: [
      'topics/http/sessions.html',
      'ref/settings.html',
      'topics/auth/default.html',
      'ref/csrf.html',
      'topics/security.html',
    ],
    ask: 'How long do sessions last by default, how do I end them when the browser is closed, and how are expired ones removed?',
    next: 'default age of session cookies SESSION_COOKIE_AGE',
    facts: [['1209600'], ['session_expire_at_browser_close'], ['clearsessions']],
  },
  {
    folder: 'python3.11-doc/**/library',
    pages: [
      'subprocess.html',
      'shlex.html',
      'os.html',
      'asyncio-subprocess.html',
      'shutil.html',
      'tempfile.html',
      'signal.html',
    ],
    ask: 'Is shell=True of subprocess.run dangerous with user input, and which function quotes an argument for the shell?',
    next: 'security of shell=True, shell injection',
    facts: [['shell injection'], ['shlex.quote']],
  },
  {
    folder: 'git-doc/**/git-doc',
    pages: [
      'git-revert.html',
      'git-reset.html',
      'git-reflog.html',
      'gitfaq.html',
      'git-gc.html',
      'gitrevisions.html',
      'git-fsck.html',
    ],
    ask: 'How do I undo a commit that is already in the main branch, and how long does the reflog keep unreachable commits?',
    next: 'reflog expire unreachable default days',
    facts: [['git revert', 'new commit'], ['30 days']],
  },
  {
    folder: 'rust-doc/**/html',
    pages: [
      'book/ch15-05-interior-mutability.html',
      'std/cell/index.html',
      'std/cell/struct.RefCell.html',
      'std/sync/struct.Mutex.html',
      'book/ch16-03-shared-state.html',
      'book/ch15-06-reference-cycles.html',
    ],
    ask: 'What happens when the borrowing rules of RefCell are broken at runtime, and when is a Mutex poisoned?',
    next: 'Mutex poisoned when a thread panics while holding the lock',
    facts: [
      ['panic', 'borrow'],
      ['poisoned', 'panic'],
    ],
  },
];

/**
 * No ranking was changed after these had been asked. Two facts got a second wording, which the pages had answered with: "is OFF",
 * "discussed".
 */
export const UNSEEN_RESEARCHES: readonly Research[] = [
  {
    folder: 'sqlite3-doc/**/sqlite3',
    pages: [
      'foreignkeys.html',
      'pragma.html',
      'lang_createtable.html',
      'lang_altertable.html',
      'autoinc.html',
      'faq.html',
    ],
    ask: 'Are foreign keys enforced by default in SQLite, and which index does a child key need?',
    also: [
      'enable foreign key support with PRAGMA foreign_keys',
      'indexes on the child key columns of a foreign key constraint',
    ],
    next: 'index on child key columns recommended',
    facts: [[['disabled by default', 'enforcement is off']], ['child key', 'index', 'unique']],
  },
  {
    folder: 'postgresql-doc-15/**/html',
    pages: [
      'sql-vacuum.html',
      'routine-vacuuming.html',
      'runtime-config-autovacuum.html',
      'sql-cluster.html',
      'mvcc-intro.html',
      'pgstatstatements.html',
    ],
    ask: 'Which lock does VACUUM FULL take, and what is the default of autovacuum_vacuum_scale_factor?',
    also: ['VACUUM FULL requires a lock on the table', 'autovacuum_vacuum_scale_factor default'],
    next: 'VACUUM FULL exclusive lock on the table',
    facts: [['access exclusive'], ['0.2']],
  },
  {
    folder: 'python-django-doc/**/html',
    pages: [
      'topics/db/transactions.html',
      'ref/settings.html',
      'topics/db/queries.html',
      'ref/databases.html',
      'topics/testing/tools.html',
    ],
    ask: 'How do I wrap every request in a transaction, how is one view left out, and what does durable=True do?',
    also: [
      'ATOMIC_REQUESTS ties transactions to HTTP requests',
      'non_atomic_requests decorator of a view',
      'atomic durable=True outermost block',
    ],
    next: 'atomic durable nested RuntimeError',
    facts: [['atomic_requests'], ['non_atomic_requests'], ['runtimeerror']],
  },
  {
    folder: 'python3.11-doc/**/library',
    pages: [
      'asyncio-task.html',
      'asyncio-eventloop.html',
      'asyncio-dev.html',
      'asyncio-sync.html',
      'asyncio-queue.html',
      'contextvars.html',
    ],
    ask: 'Why must I keep a reference to a task made by asyncio.create_task, and what does wait_for do to the task when the timeout is over?',
    also: ['save a reference to the task, the event loop keeps weak references', 'asyncio.wait_for cancels on timeout'],
    next: 'asyncio.wait_for timeout cancels the task',
    facts: [['garbage collected'], ['wait_for', 'cancel', 'timeout']],
  },
  {
    folder: 'git-doc/**/git-doc',
    pages: [
      'git-stash.html',
      'git-clean.html',
      'git-worktree.html',
      'gitignore.html',
      'git-rm.html',
      'git-checkout.html',
      'gitfaq.html',
    ],
    ask: 'How do I stash untracked files as well, and how do I stop tracking a file without deleting it from disk?',
    also: ['git stash push --include-untracked', 'git rm --cached'],
    next: 'remove a file from the index only, keep the working tree file',
    facts: [['--include-untracked'], ['--cached', 'index']],
  },
  {
    folder: 'debian-policy/**/policy.html',
    pages: [
      'ch-relationships.html',
      'ch-files.html',
      'ch-maintainerscripts.html',
      'ch-controlfields.html',
      'ch-opersys.html',
      'ch-binary.html',
    ],
    ask: 'When should a package use Pre-Depends, and how must maintainer scripts treat configuration files that the administrator changed?',
    also: ['Pre-Depends should be used sparingly', 'conffiles and local changes by the administrator'],
    next: 'local changes to configuration files must be preserved during a package upgrade',
    facts: [
      ['pre-depends', ['discussion', 'discussed']],
      ['local changes', 'preserved'],
    ],
  },
];
