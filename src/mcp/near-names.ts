/**
 * Words that callers use instead of our parameters: names from other tools, and everyday words, without case and
 * separators, the likeliest meaning first. A name is listed only if spelling alone does not lead to it.
 */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  after: ['next', 'continue', 'snapshotnext', 'from', 'cursor'],
  amount: ['distance', 'delta', 'by', 'pages', 'px', 'pixels', 'count'],
  base_url: ['url', 'base', 'source', 'address', 'uri'],
  button: ['mousebutton'],
  click_count: ['clicks', 'count', 'times'],
  concurrency: ['parallel', 'parallelism', 'workers', 'threads'],
  count: ['topn', 'n', 'k', 'limit', 'num', 'results', 'maxresults', 'numresults', 'size', 'perpage', 'topk'],
  country: ['region', 'location', 'gl', 'cc', 'market'],
  cursor: ['id', 'cursorid', 'handle', 'page', 'pageid', 'list', 'document', 'ref'],
  delta: ['by', 'offset', 'step', 'amount', 'lines', 'move', 'distance'],
  dialog: ['dialogs', 'alert', 'confirm', 'ondialog'],
  dialog_text: ['prompttext', 'promptanswer'],
  direction: ['dir', 'to', 'way'],
  domain: ['host', 'hostname', 'site', 'website', 'url'],
  domain_allowlist: [
    'domains',
    'domain',
    'site',
    'sites',
    'allowlist',
    'alloweddomains',
    'includedomains',
    'whitelist',
  ],
  domain_denylist: ['denylist', 'blocklist', 'blockeddomains', 'excludedomains', 'exclude', 'blacklist'],
  dry_run: ['dry', 'simulate', 'preview', 'test'],
  explain: ['verbose', 'debug', 'why'],
  extra_snippets: ['snippets', 'moresnippets'],
  freshness: ['date', 'recency', 'time', 'timerange', 'daterange', 'since', 'age', 'period'],
  full_page: ['full', 'wholepage', 'fullscreen'],
  history: ['action', 'direction', 'go'],
  html: ['content', 'body', 'source', 'text', 'input', 'markup', 'page'],
  id: ['url', 'uri', 'link', 'href', 'result', 'document'],
  interactive_only: ['interactive', 'interactable'],
  into_view: ['intoview', 'scrollintoview', 'visible'],
  is_regex: ['regex', 'regexp', 'useregex', 'isregexp', 're'],
  keep_newest: ['keep', 'newest', 'keeplatest', 'keeplast'],
  keep_scripts: ['scripts', 'withscripts', 'includescripts'],
  key: ['keys', 'press', 'keypress', 'hotkey', 'shortcut'],
  loc: [
    'line',
    'start',
    'from',
    'lineno',
    'linenumber',
    'startline',
    'location',
    'position',
    'offset',
    'at',
    'l',
    'lines',
  ],
  max_age_seconds: ['maxage', 'ttl', 'age'],
  max_bytes: ['bytes', 'limit', 'size', 'maxsize', 'maxchars', 'maxlength', 'length'],
  max_side: ['width', 'size', 'maxwidth', 'maxsize', 'resolution'],
  mode: ['format', 'rendermode', 'type', 'kind'],
  modifiers: ['modifier', 'modifierkeys', 'holding'],
  new_tab: ['newpage', 'innewtab'],
  num_lines: ['lines', 'count', 'limit', 'n', 'size', 'length', 'height', 'linecount', 'maxlines', 'numberoflines'],
  offset: ['page', 'skip', 'start', 'from', 'pageno', 'pagenumber'],
  older_than_seconds: ['olderthan', 'maxage', 'maxageseconds', 'age', 'seconds'],
  overlay: ['labels', 'marks', 'showrefs', 'annotate'],
  pattern: ['query', 'q', 'text', 'search', 'term', 'needle', 'regex', 'regexp', 're', 'string', 'find', 'words'],
  quality: ['jpegquality', 'compression'],
  query: [
    'q',
    'search',
    'terms',
    'term',
    'keywords',
    'keyword',
    'text',
    'question',
    'prompt',
    'input',
    'string',
    'pattern',
  ],
  refresh: ['reload', 'force', 'fresh', 'nocache', 'bypasscache', 'forcerefresh'],
  result_id: ['id', 'result', 'rank', 'index', 'number', 'n', 'num', 'item', 'position', 'no'],
  safesearch: ['safe', 'safety', 'safemode'],
  script: ['expression', 'code', 'js', 'javascript', 'function', 'fn', 'source'],
  search_lang: ['lang', 'language', 'hl', 'locale'],
  selector: ['ref', 'element', 'target', 'css', 'locator', 'elementid', 'id', 'uid', 'e'],
  selectors: ['refs', 'fields', 'elements', 'targets', 'ref', 'element', 'target', 'field'],
  session: ['sessionid', 'name', 'browser', 'id'],
  shared: ['public', 'share'],
  siteconfig: ['config', 'site', 'configid'],
  slowly: ['slow', 'keybykey'],
  snapshot: ['hash', 'id', 'sha256', 'snapshotid', 'withsnapshot', 'includesnapshot', 'tree'],
  submit: ['enter', 'pressenter', 'send'],
  tab: ['tabid', 'page', 'window', 'pageid'],
  text: ['value', 'input', 'string', 'content', 'characters', 'type'],
  timeout_ms: ['timeout', 'maxwait', 'wait', 'deadline', 'ms'],
  topn: ['count', 'n', 'k', 'top', 'limit', 'num', 'results', 'maxresults', 'numresults', 'size', 'topk'],
  ui_lang: ['uilanguage', 'locale', 'interfacelanguage'],
  unit: ['units', 'measure'],
  url: ['uri', 'link', 'href', 'address', 'page', 'website', 'site', 'target', 'location', 'webpage', 'id'],
  urls: ['uris', 'links', 'hrefs', 'addresses', 'pages', 'list', 'uri', 'link'],
  values: ['texts', 'inputs', 'contents', 'text', 'input', 'content'],
  wait_until: ['waitfor', 'until', 'wait', 'event'],
};

/** Shorter names are near to too many others for a second slip. */
const TWO_SLIPS_CHARS_MIN = 5;

/**
 * The parameters that an unknown name may stand for, the likeliest first: the same without case and separators, another
 * word for it, one or two wrong letters, or a name with more or fewer words. Only the nearest kind is returned.
 */
export function nearNames(key: string, parameters: readonly string[]): string[] {
  const given = bare(key);
  if (given === '') return [];
  const same = parameters.filter(
    (name) => bare(name) === given || bare(name) === `${given}s` || `${bare(name)}s` === given,
  );
  if (same.length > 0) return same;
  const meant = parameters
    .map((name) => ({ name, place: SYNONYMS[name]?.indexOf(given) ?? -1 }))
    .filter(({ place }) => place >= 0)
    .sort((a, b) => a.place - b.place)
    .map(({ name }) => name);
  if (meant.length > 0) return meant;
  const misspelt = nearest(given, parameters);
  if (misspelt.length > 0) return misspelt;
  const words = wordsOf(key);
  const sharing = parameters.filter((name) => isPart(wordsOf(name), words) || isPart(words, wordsOf(name)));
  return sharing.length === 1 ? sharing : [];
}

/** The names at the smallest distance, if that is one or two slips and one name alone is there. */
function nearest(given: string, parameters: readonly string[]): string[] {
  const allowed = given.length < TWO_SLIPS_CHARS_MIN ? 1 : 2;
  const near = parameters
    .map((name) => ({ name, slips: slipsBetween(given, bare(name)) }))
    .filter(({ slips }) => slips <= allowed);
  const least = Math.min(...near.map(({ slips }) => slips));
  const best = near.filter(({ slips }) => slips === least);
  return best.length === 1 ? best.map(({ name }) => name) : [];
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function wordsOf(name: string): string[] {
  return name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

function isPart(part: readonly string[], whole: readonly string[]): boolean {
  return part.length > 0 && part.every((word) => whole.includes(word));
}

/** No parameter is longer; what is, is no misspelling. */
const NAME_CHARS_MAX = 40;

/** Letters to add, drop, change, or swap with their neighbour (optimal string alignment). */
export function slipsBetween(a: string, b: string): number {
  if (a.length > NAME_CHARS_MAX || b.length > NAME_CHARS_MAX) return Infinity;
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row += 1) {
    const above = rows[row - 1] ?? [];
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(
        Math.min(
          (above[column] ?? Infinity) + 1,
          (current[column - 1] ?? Infinity) + 1,
          (above[column - 1] ?? Infinity) + (isSame ? 0 : 1),
          isSwap ? (rows[row - 2]?.[column - 2] ?? Infinity) + 1 : Infinity,
        ),
      );
    }
    rows.push(current);
  }
  return rows[a.length]?.[b.length] ?? Infinity;
}
