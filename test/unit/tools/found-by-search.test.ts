import { describe, expect, it } from 'vitest';
import { SCOPES } from '#core/principal.ts';
import { CATALOG } from '#tools/catalog.ts';

type Request = readonly [request: string, tools: readonly string[]];

/** Requests that only a server with a web search can serve. */
const WEB_REQUESTS: readonly Request[] = [
  ['look up recent news on the internet', ['search', 'web_search']],
  ['google something for me', ['search', 'web_search']],
  ['which websites talk about heat pump rebates?', ['search', 'web_search']],
];

/** Requests for the same two tools on a server without a web search. */
const STORED_REQUESTS: readonly Request[] = [
  ['search the pages that I have already read here', ['search', 'web_search']],
  ['have I opened anything on mortgage rates before?', ['search', 'web_search']],
  ['look something up on Wikipedia', ['web_search']],
];

/**
 * Hosts that defer tools find them by a search over names and descriptions. These requests are in the words of users and
 * models; each names the tools that would be a right answer.
 */
const REQUESTS: readonly Request[] = [
  ['read the third hit from that list', ['open_result']],
  ['show me the full article behind result number two', ['open_result']],
  ['read this link', ['open_url', 'web_open']],
  ['get the text of a web page from its address', ['open_url', 'web_open']],
  ['can you fetch a PDF online and tell me what it says?', ['open_url', 'web_open']],
  ["next part of the long document I'm reading", ['scroll']],
  ['jump to line 400 of the article I opened', ['scroll']],
  ['where does this word appear in the opened document?', ['find']],
  ['locate an exact phrase inside the article already open', ['find']],
  ['fetch ten links at once', ['web_batch_open']],
  ['contents of several pages in parallel', ['web_batch_open']],
  ['which paragraphs best answer my question?', ['find_passages']],
  ['pull only the relevant excerpts from a long page', ['find_passages']],
  ['turn raw HTML I already have into clean text', ['web_extract']],
  ['convert this markup string to readable markdown', ['web_extract']],
  ['look at the chart in this image', ['view_image']],
  ['what does this photo from the web show?', ['view_image']],
  ['see a scanned PDF as a picture', ['view_image']],
  ['format references for the sources I used', ['cite']],
  ['bibliography entry with a supporting quote', ['cite']],
  ['retrieve the saved copy of a page by its hash', ['cache_get']],
  ['can I get back the exact version downloaded earlier?', ['cache_get']],
  ['delete stored copies of web pages', ['cache_purge']],
  ['clear out old saved page data to free space', ['cache_purge']],
  ['keep an eye on this site for updates', ['follow']],
  ["subscribe to a blog's new posts", ['follow']],
  ["what's new on the pages I'm monitoring?", ['changes']],
  ["difference between yesterday's and today's version of the pricing page", ['changes']],
  ['start a Chrome window', ['browser_launch']],
  ['new headless session with a saved login profile', ['browser_launch']],
  ['go to a website in the live browser', ['browser_navigate']],
  ['reload the tab or go back', ['browser_navigate']],
  ['list the buttons and fields on the current screen', ['browser_snapshot']],
  ['what elements can I interact with here?', ['browser_snapshot']],
  ['press the submit button', ['browser_click']],
  ['tick the checkbox to accept the terms', ['browser_click']],
  ['dismiss the cookie banner on this website', ['browser_click']],
  ['enter my name and email into a form', ['browser_fill']],
  ['complete the signup fields with these values', ['browser_fill']],
  ['hit Enter or send a keyboard shortcut', ['browser_type']],
  ['enter text one keystroke at a time for autocomplete', ['browser_type']],
  ['log in, pick a date and submit in one go', ['browser_do']],
  ['run a sequence of page actions together', ['browser_do']],
  ['put the mouse over the menu to reveal its submenu', ['browser_point']],
  ['drag the price slider to the right', ['browser_point']],
  ['move down an infinite feed to load more posts', ['browser_scroll']],
  ['bring the footer of the live site into view', ['browser_scroll']],
  ['pause until the loading spinner disappears', ['browser_wait']],
  ['take a picture of the page', ['browser_screenshot']],
  ['how does the site look visually?', ['browser_screenshot']],
  ['run a JS snippet on the current page', ['browser_evaluate']],
  ['DOM source after scripts have run', ['browser_html']],
  ['text of the logged-in page in my browser, line by line', ['browser_read']],
  ['what API calls did the site make in the background?', ['browser_log']],
  ['any JavaScript errors on this page?', ['browser_log']],
  ['attach a photo to the upload form', ['browser_files']],
  ['save the CSV the export button produces', ['browser_files']],
  ['let me solve the captcha myself', ['browser_handoff']],
  ['user needs to enter a two-factor code by hand', ['browser_handoff']],
  ['shut down the browser when done', ['browser_close']],
];

const FIRST = 3;
const FOUND_MIN = 55;
/** Usual parameters of BM25 (Robertson and Zaragoza, 2009). */
const K1 = 1.2;
const B = 0.75;

type Described = { name: string; words: readonly string[] };

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

function describeTools(webSearch: boolean): Described[] {
  return CATALOG.map((tool) => {
    const { description } = tool.offer({ browser: true, scripts: true, webSearch }, SCOPES);
    return { name: tool.name, words: wordsIn(`${tool.name} ${description}`) };
  });
}

/** Names of all tools, best match first. */
function rank(request: string, documents: readonly Described[]): string[] {
  const averageLength = documents.reduce((sum, { words }) => sum + words.length, 0) / documents.length;
  const terms = wordsIn(request);
  const weightOf = (term: string) => {
    const count = documents.filter(({ words }) => words.includes(term)).length;
    return Math.log(1 + (documents.length - count + 0.5) / (count + 0.5));
  };
  const weights = new Map(terms.map((term) => [term, weightOf(term)]));
  const score = (words: readonly string[]) =>
    terms.reduce((sum, term) => {
      const times = words.filter((word) => word === term).length;
      const saturation = times + K1 * (1 - B + (B * words.length) / averageLength);
      return sum + ((weights.get(term) ?? 0) * times * (K1 + 1)) / saturation;
    }, 0);
  return documents
    .map(({ name, words }) => ({ name, score: score(words) }))
    .toSorted((one, other) => other.score - one.score)
    .map(({ name }) => name);
}

describe.each([
  ['with', true, WEB_REQUESTS],
  ['without', false, STORED_REQUESTS],
] as const)('a search over tool names and descriptions, %s a web search', (_, webSearch, others) => {
  const requests = [...others, ...REQUESTS];
  const documents = describeTools(webSearch);

  it(`ranks the right tool among the first ${FIRST} for at least ${FOUND_MIN} of ${requests.length} requests`, () => {
    const missed = requests.filter(
      ([request, tools]) =>
        !rank(request, documents)
          .slice(0, FIRST)
          .some((name) => tools.includes(name)),
    );
    expect(requests.length - missed.length, `missed: ${JSON.stringify(missed)}`).toBeGreaterThanOrEqual(FOUND_MIN);
  });
});
