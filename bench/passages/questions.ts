/**
 * Questions on documentation packages, each with the page that answers it and words of the lines that answer it. All
 * words are ours. `other`: the question avoids the rare words of its answer.
 */
export type Asked = {
  package: string;
  page: string;
  question: string;
  /** True if these lines answer it. */
  answers: (lines: readonly string[]) => boolean;
  isOther: boolean;
  /** Other phrasings of the question. */
  also?: readonly string[];
  /** True if the answer has parts, which may be in different passages. */
  isSplit?: boolean;
  /** The other pages to search; by default, some of its package. */
  others?: readonly string[];
};

const asked = (name: string, page: string, question: string, ...answer: string[]): Asked => ({
  package: name,
  page,
  question,
  answers: (lines) => lines.some((line) => answer.every((word) => line.toLowerCase().includes(word.toLowerCase()))),
  isOther: false,
});
const other = (name: string, page: string, question: string, ...answer: string[]): Asked => ({
  ...asked(name, page, question, ...answer),
  isOther: true,
});

const GIT = 'git-doc';
const PG = 'postgresql-doc-15';
const PY = 'python3.11-doc';
const LITE = 'sqlite3-doc';
const DJANGO = 'python-django-doc';
const POLICY = 'debian-policy';
const FAQ = 'debian-faq';
const DE = 'debian-faq-de';
const FR = 'apache2-doc';
const RU = 'developers-reference-ru';
const JA = 'debian-reference-ja';
const APT = 'aptitude-doc-en';

export const QUESTIONS: readonly Asked[] = [
  asked(GIT, 'git-gc.html', 'What is the default of gc.auto?', '6700'),
  asked(
    GIT,
    'git-stash.html',
    'Which option of git stash also stashes untracked files?',
    'untracked files are also stashed',
  ),
  asked(GIT, 'git-clone.html', 'How do I clone only the history of one branch?', 'single branch'),
  other(GIT, 'git-clone.html', 'How can I download just the latest state without all the old commits?', 'truncated'),
  other(GIT, 'git-worktree.html', 'How do I protect a checkout on a removable disk from being cleaned up?', 'portable'),
  asked(
    GIT,
    'gitignore.html',
    'What does a leading double asterisk followed by a slash mean in a pattern?',
    'leading',
    '**',
    'all directories',
  ),
  other(GIT, 'gitignore.html', 'How do I make an exception so that an excluded file is tracked again?', 'negates'),
  asked(GIT, 'git-bisect.html', 'Which exit code tells git bisect run to skip a commit?', '125', 'code'),

  asked(PG, 'runtime-config-wal.html', 'What is the default value of max_wal_size?', 'default', '1 GB'),
  asked(PG, 'runtime-config-wal.html', 'Which levels does wal_level have?', 'minimal', 'removes all logging'),
  asked(PG, 'sql-vacuum.html', 'Can VACUUM run inside a transaction block?', 'transaction block'),
  other(PG, 'sql-vacuum.html', 'How do I give the disk space back to the operating system?', 'FULL', 'more space'),
  asked(PG, 'sql-copy.html', 'What does the FORCE_QUOTE option do?', 'Forces quoting', 'non-'),
  other(
    PG,
    'explicit-locking.html',
    'What happens when two sessions wait for each other forever?',
    'deadlock',
    'aborting',
  ),
  asked(PG, 'datatype-numeric.html', 'How many bytes does a bigint take?', 'bigint', '8 bytes'),
  other(
    PG,
    'indexes-types.html',
    'Which kind of index suits very large tables whose rows are stored in order?',
    'BRIN',
    'block range',
  ),

  asked(PY, 'library/shutil.html', 'What does shutil.disk_usage return?', 'named tuple', 'total', 'used', 'free'),
  asked(
    PY,
    'library/subprocess.html',
    'Which exception is raised when a timeout of subprocess.run expires?',
    'TimeoutExpired',
    'timeout',
  ),
  other(
    PY,
    'library/shutil.html',
    'How do I remove a whole folder with everything in it?',
    'Delete an entire directory tree',
  ),
  asked(PY, 'library/json.html', 'How do I sort the keys when I dump JSON?', 'sort_keys', 'sorted by key'),
  other(
    PY,
    'library/functools.html',
    'How can I remember earlier results of a slow function?',
    'saves up to',
    'maxsize',
  ),
  asked(
    PY,
    'library/tempfile.html',
    'Who must delete the file that mkstemp creates?',
    'user of',
    'mkstemp',
    'responsible',
  ),
  other(PY, 'library/argparse.html', 'How do I make an option that must always be given?', 'required=True'),
  asked(
    PY,
    'library/csv.html',
    'Which newline argument should I pass when I open a csv file?',
    "newline=''",
    'should be opened',
  ),

  asked(LITE, 'wal.html', 'How many pages must the WAL file have before an automatic checkpoint?', '1000', 'automatic'),
  asked(LITE, 'pragma.html', 'What does PRAGMA synchronous=NORMAL risk in WAL mode?', 'NORMAL', 'WAL', 'durability'),
  other(LITE, 'wal.html', 'Can the database lie on a network drive in this mode?', 'network filesystem'),
  asked(LITE, 'limits.html', 'What is the maximum number of attached databases?', 'SQLITE_MAX_ATTACHED', '10'),
  asked(LITE, 'autoinc.html', 'Does AUTOINCREMENT prevent the reuse of ROWIDs?', 'AUTOINCREMENT', 'reuse'),
  other(
    LITE,
    'foreignkeys.html',
    'Are references between tables checked without doing anything?',
    'disabled by default',
  ),
  asked(
    LITE,
    'fts5.html',
    'How does the trigram tokenizer treat the case_sensitive option?',
    'case_sensitive',
    'trigram',
  ),
  other(LITE, 'datatype3.html', 'How are dates kept, as there is no type for them?', 'ISO8601'),

  asked(DJANGO, 'topics/cache.html', 'What is the default TIMEOUT of a cache in seconds?', '300', 'seconds'),
  asked(DJANGO, 'settings.html', 'What does CONN_MAX_AGE set to None mean?', 'None', 'unlimited', 'persistent'),
  asked(DJANGO, 'passwords.html', 'Which hasher does Django use by default to store passwords?', 'PBKDF2', 'SHA256'),
  other(
    DJANGO,
    'settings.html',
    'How long does a user stay logged in before the cookie runs out?',
    'age of session cookies',
  ),
  asked(
    DJANGO,
    'transactions.html',
    'When does on_commit call its function in autocommit mode?',
    'on_commit',
    'immediately',
  ),
  other(DJANGO, 'models/fields.html', 'How do I let a field be left empty in a form?', 'blank', 'empty'),
  asked(DJANGO, 'models/fields.html', 'What does on_delete=PROTECT do?', 'ProtectedError'),
  other(DJANGO, 'csrf.html', 'How do I switch the forgery check off for one view?', 'csrf_exempt', 'view'),

  asked(POLICY, 'ch-relationships.html', 'What does Pre-Depends force dpkg to do?', 'complete installation'),
  asked(
    POLICY,
    'ch-controlfields.html',
    'Which characters may a package name contain?',
    'lower case letters',
    'plus',
    'minus',
  ),
  other(POLICY, 'ch-maintainerscripts.html', 'May an install script be run twice without harm?', 'idempotent'),
  other(
    POLICY,
    'ch-opersys.html',
    'Which folder belongs to the administrator alone, so that packages leave it empty?',
    'exclusive use',
  ),

  asked(
    FAQ,
    'customizing.en.html',
    'How do I replace a file that a package installed with my own version?',
    'dpkg-divert',
  ),
  other(FAQ, 'pkgtools.en.html', 'Which package put this file on my disk?', 'dpkg', '--search'),
  asked(DE, 'pkg-basics.de.html', 'Wie setze ich ein Paket mit apt-mark auf hold?', 'apt-mark hold'),
  other(DE, 'pkgtools.de.html', 'Zu welchem Paket gehört eine Datei auf meiner Platte?', 'dpkg --search'),
  asked(DE, 'customizing.de.html', 'Wie wird die Papiergröße für alle Programme eingestellt?', '/etc/papersize'),
  other(DE, 'uptodate.de.html', 'Muss ich das System anhalten, um Programme zu erneuern?', 'Nein'),
  asked(FR, 'fr/howto/htaccess.html', 'Pourquoi éviter les fichiers .htaccess ?', 'raisons', 'htaccess'),
  asked(FR, 'fr/mod/mod_deflate.html', 'Que règle DeflateCompressionLevel ?', 'niveau', 'compression'),
  other(FR, 'fr/logs.html', 'Comment changer de fichier chaque jour sans arrêter httpd ?', 'rotation', 'redémarrer'),
  other(
    FR,
    'fr/caching.html',
    'Combien de temps une page reste-t-elle valable si le serveur ne dit rien ?',
    'une heure',
  ),
  asked(RU, 'pkgs.html', 'Как загрузить пакет с задержкой в каталог DELAYED?', 'DELAYED/'),
  other(RU, 'pkgs.html', 'Как отказаться от пакета, который я больше не могу поддерживать?', 'no longer maintain'),
  asked(RU, 'resources.html', 'Для чего нужен список рассылки debian-private?', 'debian-private', 'частных'),
  other(RU, 'resources.html', 'Где спросить других разработчиков в чате?', 'IRC', 'канал'),
  asked(JA, 'ch09.ja.html', 'プロセスの優先順位を変えるコマンドは?', 'nice', '優先順位'),
  other(JA, 'ch09.ja.html', 'ビープ音を消すにはどうしますか', 'pcspkr'),
  asked(JA, 'ch03.ja.html', 'ホスト名はどのファイルに書かれていますか', '/etc/hostname'),
  other(JA, 'ch09.ja.html', '決まった時間に毎日プログラムを動かしたい', 'cron', 'ファイル'),
  asked(APT, 'ch02s04s05.html', 'What does the search term ?broken match?', '`?broken`'),
  other(APT, 'ch02s02s03.html', 'How do I keep a package at its present version for good?', 'persistent hold'),
];
