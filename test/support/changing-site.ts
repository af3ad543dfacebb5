/**
 * A site that changes between rounds of visits, as real sites do. It does no input or output, so it runs in workerd and
 * behind a server in Node. Round 0 is the first state. All changes come in round 1. Changes that last an hour are over
 * in round 2.
 */
export type ChangingSite = {
  round: number;
  answer: (request: { path: string; headers: Readonly<Record<string, string | undefined>> }) => SiteAnswer;
};

export type SiteAnswer = { status: number; headers: Record<string, string>; body: string };

/** An event to notify followers of, once. `block`: how a block changed, with its removed and added words. */
export type SiteEvent =
  | {
      round: number;
      path: string;
      kind: 'changed';
      block: 'added' | 'changed' | 'removed' | 'moved';
      gone: string;
      come: string;
    }
  | { round: number; path: string; kind: 'page moved'; to: string }
  | { round: number; path: string; kind: 'gone' | 'closed by robots.txt' | 'noindex' };

/** The start page that is followed; all other pages are below it. */
export const CHANGING_START = '/docs/';

export const CHANGING_EVENTS: readonly SiteEvent[] = [
  { round: 1, path: '/docs/sentence', kind: 'changed', block: 'changed', gone: 'eight', come: 'nine' },
  { round: 1, path: '/docs/prices', kind: 'changed', block: 'changed', gone: '12', come: '14' },
  { round: 1, path: '/docs/order', kind: 'changed', block: 'moved', gone: '', come: '' },
  { round: 1, path: '/docs/steady-etag', kind: 'changed', block: 'changed', gone: 'grey', come: 'blue' },
  { round: 1, path: '/docs/old', kind: 'page moved', to: '/docs/new' },
  { round: 1, path: '/docs/closed', kind: 'closed by robots.txt' },
  { round: 1, path: '/docs/unlisted', kind: 'noindex' },
  { round: 1, path: '/docs/unlisted-header', kind: 'noindex' },
  // Missing in two rounds one after the other. `/docs/away` is missing in only one, so it is no event.
  { round: 2, path: '/docs/gone', kind: 'gone' },
];

export function changingSite(): ChangingSite {
  let visits = 0;
  const site: ChangingSite = {
    round: 0,
    answer: ({ path, headers }) => {
      visits += 1;
      const [name = ''] = path.split('?');
      const answer = answerOf(name, site.round, visits);
      const etag = answer.headers['etag'];
      const isKnown = etag !== undefined && headers['if-none-match'] === etag && name !== '/docs/steady-etag';
      return isKnown ? { ...answer, status: 304, body: '' } : answer;
    },
  };
  return site;
}

/** Paths of the pages, as the sitemap and the menus list them. */
const NAMES = [
  'sentence',
  'prices',
  'order',
  'menu',
  'token',
  'years',
  'flaps',
  'old',
  'away',
  'gone',
  'closed',
  'unlisted',
  'unlisted-header',
  'fresh-etag',
  'steady-etag',
] as const;
type Name = (typeof NAMES)[number];

function answerOf(path: string, round: number, visits: number): SiteAnswer {
  if (path === '/robots.txt') return text(robots(round));
  if (path === '/sitemap.xml') return { ...text(sitemap()), headers: { 'content-type': 'application/xml' } };
  if (path === CHANGING_START)
    return page('Island handbook', `<p>${INTRODUCTION}</p><ul>${links()}</ul>`, round, visits);
  if (path === '/docs/new') return page('The light', OLD, round, visits);
  const name = NAMES.find((one) => path === `/docs/${one}`);
  if (name === undefined || isAway(name, round)) return missing();
  if (name === 'old' && round >= 1) return { status: 301, headers: { location: '/docs/new' }, body: '' };
  const answer = page(TITLES[name], BODIES[name](round, visits), round, visits, HEADS[name]?.(round) ?? '');
  if (name === 'unlisted-header' && round >= 1) answer.headers['x-robots-tag'] = 'noindex';
  answer.headers['etag'] =
    ETAGS[name]?.(round, visits) ?? `"${name}-${name === 'menu' ? round : versionOf(name, round)}"`;
  // Without a validator, as servers send pages with tokens.
  if (name === 'token' || name === 'flaps') delete answer.headers['etag'];
  return answer;
}

function isAway(name: Name, round: number): boolean {
  return (name === 'away' && round === 1) || (name === 'gone' && round >= 1);
}

function versionOf(name: Name, round: number): number {
  return name === 'fresh-etag' ? 0 : Math.min(round, 1);
}

const ETAGS: Partial<Record<Name, (round: number, visits: number) => string>> = {
  // A new ETag for the same text, or the same ETag for a new text.
  'fresh-etag': (_, visits) => `"visit-${visits}"`,
  'steady-etag': () => '"always"',
};

const HEADS: Partial<Record<Name, (round: number) => string>> = {
  unlisted: (round) => (round >= 1 ? '<meta name="robots" content="noindex, follow">' : ''),
};

const INTRODUCTION =
  'This handbook tells those who live on the island, and those who visit it, how things are done here. Each page is kept by the people who know most of its subject.';
const FERRY =
  'The ferry carries everything that the island does not grow, and most of what it sells. It is a small boat with room for four cars, and the captain knows each passenger by name.';
const WEATHER =
  'When the wind is above force nine the captain decides alone whether the boat sails. A red flag at the harbour then says that it does not, and the baker puts the same flag into her window.';
const OLD =
  '<p>The light on the northern rock was built by hand in four summers. Its lens floats on a bath of mercury, and a child could turn it.</p><p>Since it works by itself nobody lives there, but the keeper climbs up each month to clean the glass and to write down what he saw.</p>';
const SECTIONS = [
  '<h2>Bread</h2><p>The dough of the bread rests for two days in the cool room before it goes to the oven, which is why it keeps for a week.</p>',
  '<h2>Cheese</h2><p>The cheese is turned every morning and washed with salt water twice a week until its rind is as red as the roofs.</p>',
  '<h2>Honey</h2><p>The honey comes from the heath behind the church, where the bees find nothing else from July to the end of September.</p><p>It is sold in jars of one size only.</p>',
];

const TITLES: Record<Name, string> = {
  sentence: 'The ferry',
  prices: 'Tickets',
  order: 'What is made here',
  menu: 'The school',
  token: 'Letters to the council',
  years: 'The choir',
  flaps: 'The museum',
  old: 'The light',
  away: 'The library',
  gone: 'The inn',
  closed: 'The council',
  unlisted: 'The archive',
  'unlisted-header': 'The cellar',
  'fresh-etag': 'The harbour',
  'steady-etag': 'The roofs',
};

const BODIES: Record<Name, (round: number, visits: number) => string> = {
  sentence: (round) =>
    `<p>${FERRY}</p><p>In winter it leaves the island at ${round >= 1 ? 'nine' : 'eight'} in the morning and is back at five. Bicycles travel free.</p><p>${WEATHER}</p>`,
  prices: (round) =>
    `<p>${FERRY}</p><table><thead><tr><th>Ticket</th><th>Euros</th></tr></thead><tbody><tr><td>Adult</td><td>${round >= 1 ? '14' : '12'}</td></tr><tr><td>Child</td><td>6</td></tr><tr><td>Dog</td><td>3</td></tr></tbody></table><p>${WEATHER}</p>`,
  order: (round) => (round >= 1 ? [SECTIONS[2], SECTIONS[0], SECTIONS[1]] : SECTIONS).join(''),
  menu: () =>
    `<p>The school has two rooms and eleven children, who are taught together until they are twelve.</p><p>${WEATHER}</p>`,
  token: (_, visits) =>
    `<p>Who wants to write to the council may do so here. Letters are read aloud in the first meeting of each month, with the name of the writer.</p><form action="/letters" method="post"><input type="hidden" name="token" value="t${visits * 7919}"><label>Your letter <textarea name="letter"></textarea></label><button>Send</button></form><p>${INTRODUCTION}</p>`,
  years: (round) =>
    `<p>The choir sings in the church on the last Sunday of each month, and at weddings when it is asked in time.</p><p>${FERRY}</p><p>© 1998–${2025 + Math.min(round, 1)} The choir of the island</p>`,
  flaps: (_, visits) =>
    `<p>The museum shows what the sea has brought: timber, bottles, and the figurehead of a ship that nobody missed.</p><p>Seen today: ${visits % 2 === 0 ? 'the figurehead' : 'a barometer of brass'}</p><p>${INTRODUCTION}</p>`,
  old: () => OLD,
  away: () =>
    `<p>The library is open when the post office is, because it is the same room. Books are lent for as long as it takes to read them.</p><p>${INTRODUCTION}</p>`,
  gone: () =>
    `<p>The inn has five rooms above the bar, and breakfast for those who get up before the boat leaves.</p><p>${WEATHER}</p>`,
  closed: () =>
    `<p>The council meets in the school on the first Monday of each month, and everybody may listen.</p><p>${INTRODUCTION}</p>`,
  unlisted: () =>
    `<p>The archive holds the births and deaths of three hundred years, in the hands of eleven priests.</p><p>${INTRODUCTION}</p>`,
  'unlisted-header': () =>
    `<p>The cellar below the church is dry and cool, and the island keeps its seed potatoes there.</p><p>${INTRODUCTION}</p>`,
  'fresh-etag': () =>
    `<p>The harbour was blasted out of the rock and is deep enough for the boat at any tide.</p><p>${WEATHER}</p>`,
  'steady-etag': (round) =>
    `<p>The roofs of the island have to be ${round >= 1 ? 'blue' : 'grey'} by a rule of 1911 that nobody wants to change.</p><p>${INTRODUCTION}</p>`,
};

/** A page with the usual surroundings: a menu, a token in a script, a footer with the time of the build. */
function page(title: string, body: string, round: number, visits: number, head = ''): SiteAnswer {
  const menu = `<nav><ul><li><a href="/docs/">Handbook</a></li>${round >= 1 ? '<li><a href="/docs/#news">News of the island</a></li>' : ''}${links()}</ul></nav>`;
  const footer = `<footer><p>Built on ${round >= 1 ? '24 November' : '3 October'} 2026. Visit number ${visits}.</p></footer>`;
  return {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title} – Island handbook</title>${head}<script>window.nonce = "${(visits * 104_729).toString(36)}";</script></head><body>${menu}<main><article><h1>${title}</h1>${body}</article></main>${footer}</body></html>`,
  };
}

function links(): string {
  return NAMES.map((name) => `<li><a href="/docs/${name}">${TITLES[name]}</a></li>`).join('');
}

function robots(round: number): string {
  const closed = round >= 1 ? 'Disallow: /docs/closed\n' : '';
  return `User-agent: *\nDisallow: /private\n${closed}\nSitemap: /sitemap.xml\n`;
}

function sitemap(): string {
  const urls = ['', ...NAMES].map((name) => `<url><loc>/docs/${name}</loc></url>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>`;
}

function text(body: string): SiteAnswer {
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}

function missing(): SiteAnswer {
  return { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'There is no such page.\n' };
}
