import { deploymentPart } from '#client/deployment/deployment.ts';
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { grantFor } from '#support/grants.ts';
import { callTool, structured } from '#support/mcp-call.ts';
import { formFields, pageOf, textOf } from '#support/oauth-browser.ts';
import type { Browser, Shown } from '#support/oauth-browser.ts';
import { ORIGIN, PASSPHRASE, personsBrowser } from '#support/oauth-journey.ts';

const BOARD = 'https://board.acme.dev/cited';

let owner: Browser;
beforeAll(async () => {
  owner = personsBrowser();
  await owner.submit(pageOf(await owner.get(`${ORIGIN}/sign-in`)), '/sign-in', { passphrase: PASSPHRASE });
});

async function board(html: string): Promise<void> {
  await fetch(BOARD, { method: 'POST', body: html });
}

async function open(url: string, token?: string): Promise<{ cursor: string; render: string; text: string }> {
  const answer = await callTool('modern', 'open_url', { url }, token === undefined ? {} : { token });
  const { cursor, render, text } = structured(answer);
  return { cursor: String(cursor), render: String(render), text: String(text) };
}

async function see(path: string, browser = owner): Promise<Shown> {
  return pageOf(await browser.get(ORIGIN + path));
}

async function press(page: Shown, what: string, fields: Record<string, string> = {}): Promise<Shown> {
  const action = new URL(page.url).pathname;
  return pageOf(await owner.submit(page, action, { do: what, ...fields }));
}

const share = (page: Shown, who: string) => press(page, 'share', { who });
const linkIn = ({ html }: Shown) => /\/q\/[\w-]{22}/u.exec(html)?.[0] ?? '';

/** The lines of a page by their number, each with its marked part. */
function linesOf({ html }: Shown): Map<number, { text: string; marked: string }> {
  const rows = html.split(/<(?:li|div|tr) id="L(?=\d+" class="row)/u).slice(1);
  return new Map(
    rows.map((row) => {
      const inner = row.slice(row.indexOf('>') + 1).replace(/<a class="n".*?<\/a>|<\/section>.*/gsu, '');
      const marked = [...inner.matchAll(/<mark>(.*?)<\/mark>/gsu)].map(([, words = '']) => words).join('');
      return [Number.parseInt(row, 10), { text: textOf(inner).trim(), marked }];
    }),
  );
}

describe('a citation page', () => {
  it('shows the cited lines in their page, marked, with source and date', async () => {
    const { cursor, render } = await open('https://docs.acme.dev/alarms');
    const link = /^Cite: 【.*】 (\S+)$/m.exec(render)?.[1] ?? '';
    expect(link).toBe(`${ORIGIN}/c/${cursor}/L0-L5`);
    const page = await see(`/c/${cursor}/L2-L2`);
    expect(page.status).toBe(200);
    expect(page.headers.get('cache-control')).toBe('no-store');
    const lines = linesOf(page);
    const sentence = 'An alarm wakes a durable object at a set time.';
    expect([...lines].filter(([, { marked }]) => marked !== '')).toEqual([[2, { text: sentence, marked: sentence }]]);
    expect(lines.get(0)?.text).toBe('Alarms');
    expect(lines.size).toBe(4);
    expect(page.html).toContain('autofocus');
    expect(page.html).toContain(
      'href="https://docs.acme.dev/alarms#:~:text=An%20alarm%20wakes%20a,at%20a%20set%20time."',
    );
    expect(page.html).toMatch(/<time datetime="\d{4}-/);
    expect(textOf(page.html)).toMatch(/SHA-256 of the page’s text\s+[0-9a-f]{64}/);
    expect(linesOf(await see(new URL(link).pathname)).size).toBe(4);
  });

  it('reports if the live page still has the quote, and which words differ', async () => {
    await board('<h1>Rules</h1><p>Nobody may feed the walrus after nine.</p><p>It bites.</p>');
    const { cursor } = await open(BOARD);
    const path = `/c/${cursor}/L2-L2`;
    const same = await press(await see(path), 'check');
    expect(textOf(same.html)).toContain('Yes, it still says so');
    expect(textOf(same.html)).toContain('has not changed since');

    await board('<h1>Rules</h1><p>News first.</p><p>Nobody may feed the walrus after nine.</p>');
    const moved = await press(await see(path), 'check');
    expect(textOf(moved.html)).toContain('they are line 4 of its text now');

    await board('<h1>Rules</h1><p>Nobody may feed the walrus after ten.</p>');
    const differs = await press(await see(path), 'check');
    expect(textOf(differs.html)).toContain('No, it says something else now');
    expect(differs.html).toContain('feed the walrus after <del>nine.</del><ins>ten.</ins>');
    expect(linesOf(differs).get(2)?.text).toBe('Nobody may feed the walrus after nine.');

    await board('<h1>Closed</h1><p>This zoo has moved to another town for good.</p>');
    expect(textOf((await press(await see(path), 'check')).html)).toContain('nothing like it now');
  });

  it('reports that other words of the same text are struck out', async () => {
    await board('<h1>Prices</h1><p>A ticket costs <s>50</s> 40 EUR today.</p>');
    const { cursor } = await open(BOARD);
    await board('<h1>Prices</h1><p>News.</p><p>A ticket costs <s>50</s> 40 EUR today.</p>');
    expect(textOf((await press(await see(`/c/${cursor}/L2-L2`), 'check')).html)).toContain('Yes, it still says so');
    await board('<h1>Prices</h1><p>A ticket costs 50 <s>40</s> EUR today.</p>');
    const differs = await press(await see(`/c/${cursor}/L2-L2`), 'check');
    expect(textOf(differs.html)).toContain('No, it says something else now');
  });

  it('explains why the live page cannot be checked, and still shows the stored one', async () => {
    const { cursor } = await open('https://docs.acme.dev/alarms');
    const stub = env.CLIENT.get(env.CLIENT.idFromName((await signInIdentity()).ownerSubject));
    const document = await env.DB.prepare(`SELECT id, line_count FROM documents LIMIT 1`).first<{ id: string }>();
    const gone = await stub.mintPage(
      {
        documentId: document?.id ?? '',
        url: 'https://docs.acme.dev/not-there-any-more',
        title: null,
        lineCount: 3,
        restStart: null,
        fetchedAt: 0,
      },
      0,
      null,
      60_000,
    );
    const page = await press(await see(`/c/${gone}/L0-L0`), 'check');
    expect(textOf(page.html)).toContain('The live page could not be read');
    expect(textOf(page.html)).toContain('HTTP 404');
    expect(linesOf(page).size).toBeGreaterThan(0);
    expect(cursor).not.toBe(gone);
  });

  it('never requests a page that was read in a browser session, even if no stored page records this any more', async () => {
    await board('<p>Your balance is nine walruses.</p>');
    const { cursor } = await open(BOARD);
    const { ownerSubject } = await signInIdentity();
    const stub = env.CLIENT.get(env.CLIENT.idFromName(ownerSubject));
    const shown = await stub.use(cursor, null, 60_000);
    const page = {
      documentId: '',
      url: BOARD,
      title: null,
      lineCount: 1,
      restStart: null,
      fetchedAt: 0,
      ...(shown !== null && 'page' in shown ? shown.page : null),
    };
    const live = await stub.mintPage({ ...page, isLive: true }, 0, null, 60_000);
    await board('<p>Sign in first.</p>');
    const before = await see(`/c/${live}/L0-L0`);
    expect(before.html).not.toContain('value="check"');
    expect(textOf(before.html)).toContain('read in a browser session');
    const form = formFields((await see('/console/activity')).html, '/sign-out');
    const after = pageOf(await owner.post(new URL(before.url).pathname, [...form, ['do', 'check']]));
    expect(after.html).not.toContain('class="answer"');
    expect(textOf((await press(await see(`/c/${cursor}/L0-L0`), 'check')).html)).toContain('nothing like it now');
  });

  it('stays when the page has changed and its snapshot was purged', async () => {
    await board('<p>The first edition says that walruses swim.</p>');
    const { cursor } = await open(BOARD);
    await board('<p>The second edition is about otters alone.</p>');
    await open(BOARD);
    structured(await callTool('modern', 'cache_purge', { domain: 'board.acme.dev', dry_run: false }));
    expect(linesOf(await see(`/c/${cursor}/L0-L0`)).get(0)).toEqual({
      text: 'The first edition says that walruses swim.',
      marked: 'The first edition says that walruses swim.',
    });
  });

  it('shows a part of a long page, with links to all other parts, below 100 KB', async () => {
    const { cursor } = await open('https://docs.acme.dev/huge');
    const page = await see(`/c/${cursor}/L2500-L2501`);
    expect(page.html.length).toBeLessThan(100_000);
    const lines = linesOf(page);
    // Every second line is blank.
    expect(lines.size).toBe(150);
    expect([...lines.keys()][0]).toBe(2400);
    const seen = new Set<number>();
    let next: string | null = `/c/${cursor}/L2500-L2501?from=0`;
    while (next !== null) {
      const part: Shown = await see(next);
      for (const number of linesOf(part).keys()) seen.add(number);
      const links = [...part.html.matchAll(/<a href="([^"]*)">Lines from/gu)];
      next = links[0]?.[1] ?? null;
    }
    const before = /<a href="([^"]*)">Lines before/u.exec(page.html)?.[1] ?? '';
    expect(linesOf(await see(before)).has(2398)).toBe(true);
    const last = Number(/the page has lines 0 to (\d+)/.exec(textOf(page.html))?.[1]);
    expect(seen.size).toBe(Math.ceil((last + 1) / 2));
  });

  it('shows page text as text, without invisible characters', async () => {
    await board(
      '<title>x</title><h1>&lt;script&gt;alert(1)&lt;/script&gt;</h1><p>Say &lt;/mark&gt;&lt;img src=x onerror=alert(1)&gt; to\u202e it \u200b\u{e0041}twice.</p>',
    );
    const { cursor } = await open(BOARD);
    const page = await see(`/c/${cursor}/L0-L2`);
    expect(page.html).not.toMatch(/<script>alert|<img src=x|[\u202e\u200b\u{e0041}]/u);
    expect(page.html).toContain('<mark>Say &lt;/mark&gt;&lt;img src=x onerror=alert(1)&gt; to it twice.</mark>');
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  });
});

describe('the text of a citation page', () => {
  it('has headings, lists, code and tables, with numbers from 1 and links that count from 0', async () => {
    await board(
      `<main><h1>Tides</h1><p>Read <a href="/moon">of the <b>moon</b></a> first. <img src="/moon.png" alt="A full moon"></p>
      <h3>How to</h3><ul><li>Wait<ul><li>longer</li></ul></li><li>Look</li></ul><pre>wait()\n# not a heading\n  look()</pre>
      <table><tr><th>Day</th><th>Height</th></tr><tr><td>1</td><td>2 m</td></tr></table></main>`,
    );
    const { cursor } = await open(BOARD);
    const { html } = await see(`/c/${cursor}`);
    const text = /<div class="text".*<\/section>/su.exec(html)?.[0] ?? '';
    expect(text).toContain(`<a class="n" href="${cursor}/L0" tabindex="-1">0</a><h2>Tides</h2>`);
    expect(text).toContain('<h3>How to</h3>');
    expect(text).toContain(
      '<a href="https://board.acme.dev/moon" rel="nofollow noopener noreferrer">of the <strong>moon</strong></a>',
    );
    expect(text).toContain('<span class="described">A full moon</span>');
    expect(text).not.toContain('<img');
    expect(text).toMatch(/<ul><li [^>]*class="row".*<p><span class="marker">• <\/span>Wait.*class="row in1".*longer/su);
    expect(text).toContain('<code># not a heading</code>');
    expect(text).toContain('<code>  look()</code>');
    expect(text).toMatch(/<th>Day<\/th><th>Height<\/th><\/tr>.*<td>2 m<\/td>/su);
    expect(text).not.toMatch(/```|---|\]\(/u);
  });

  it('marks the quoted words, not their lines, and every quote of these lines', async () => {
    await board('<p>The walrus <b>sleeps</b> at noon, and it wakes at dusk.</p><p>It bites.</p>');
    const { cursor } = await open(BOARD);
    const cite = async (quote: string) => structured(await callTool('modern', 'cite', { cursor, quote }));
    const { link } = await cite('walrus sleeps at noon');
    const path = new URL(String(link)).pathname;
    expect(linesOf(await see(path)).get(0)?.marked).toBe('walrus sleeps at noon');
    await cite('wakes at dusk');
    expect(linesOf(await see(path)).get(0)?.marked).toBe('walrus sleeps at noonwakes at dusk');
    const { html } = await see(path);
    expect(html).toContain('<mark>walrus </mark><strong><mark>sleeps</mark></strong><mark> at noon</mark>');
  });

  it('treats lines as code if their block begins above the window', async () => {
    const code = Array.from({ length: 400 }, (_, n) => `# remark ${n} of **two**`);
    await board(`<main><p>Code:</p><pre>${code.join('\n')}</pre><p>After it.</p></main>`);
    const { cursor } = await open(BOARD);
    const page = await see(`/c/${cursor}/L330-L330`);
    expect(page.html).toContain('<code><mark># remark 327 of **two**</mark></code>');
    expect(linesOf(await see(`/c/${cursor}/L405-L405`)).get(405)?.marked).toBe('After it.');
    const link = linkIn(await share(page, 'anyone'));
    expect((await see(link)).html).toContain('<mark># remark 327 of **two**</mark>');
  });
});

describe('the visitor of a citation page', () => {
  it('signs in first, and returns to it', async () => {
    const { cursor } = await open('https://docs.acme.dev/alarms');
    const path = `/c/${cursor}/L2-L2`;
    const stranger = personsBrowser();
    const asked = await see(path, stranger);
    expect(asked.html).toContain('action="/sign-in"');
    expect(asked.html).not.toContain('durable object');
    const page = pageOf(await stranger.submit(asked, '/sign-in', { passphrase: PASSPHRASE }));
    expect(page.url).toBe(ORIGIN + path);
    expect(linesOf(page).get(2)?.marked).not.toBe('');
  });

  it('gets the same answer for another user’s cursor, an unknown one and an invalid one', async () => {
    const { cursor } = await open('https://docs.acme.dev/alarms', await grantFor('somebody-else', ['web:read']));
    const answers = await Promise.all(
      [`/c/${cursor}/L0-L1`, '/c/c_aaaaaaaaaaaaaaaa/L0-L1', '/c/none/L0-L1', '/c/c_../L0-L1'].map((path) => see(path)),
    );
    for (const { status, html } of answers) {
      expect(status).toBe(404);
      expect(html).toBe(answers[0]?.html);
    }
    expect(textOf(answers[0]?.html ?? '')).toContain('There is no such citation');
  });

  it('gets an error for invalid lines, and for the cursor of a list', async () => {
    const { cursor } = await open('https://docs.acme.dev/alarms');
    expect(textOf((await see(`/c/${cursor}/L3-L2`)).html)).toContain('These are no lines');
    expect(textOf((await see(`/c/${cursor}/12`)).html)).toContain('These are no lines');
    expect(textOf((await see(`/c/${cursor}/L3-L9`)).html)).toContain('this page has L0 to L5.');
    const list = structured(await callTool('modern', 'search', { query: 'alarm' }));
    const shown = await see(`/c/${String(list['cursor'])}/L0-L1`);
    expect([shown.status, textOf(shown.html)]).toEqual([200, expect.stringContaining('As your model got them.')]);
    const scrolled = structured(await callTool('modern', 'scroll', { cursor: list['cursor'] }));
    expect(scrolled['render']).toMatch(/^Cite: 【[^】]*】$/m);
  });

  it('cannot be made to check the live page by a form of another site, or without its token', async () => {
    const { cursor } = await open('https://docs.acme.dev/alarms');
    const path = `/c/${cursor}/L2-L2`;
    const page = await see(path);
    const fields: [string, string][] = [...formFields(page.html, path), ['do', 'check']];
    expect(pageOf(await owner.post(path, fields, { origin: 'https://evil.acme.dev' })).status).toBe(403);
    expect(pageOf(await owner.post(path, [['do', 'check']])).status).toBe(403);
    expect(pageOf(await personsBrowser().post(path, fields)).html).toContain('action="/sign-in"');
    expect(pageOf(await owner.post(path, fields)).status).toBe(200);
  });
});

function signInIdentity() {
  return deploymentPart(env, 'signIn').identity();
}

describe('a shared quote', () => {
  it('is created on a citation page, visible to anyone, shows nothing else of the page, and can be withdrawn', async () => {
    const { cursor } = await open('https://docs.acme.dev/long');
    const path = `/c/${cursor}/L40-L40`;
    const shared = await share(await see(path), 'anyone');
    const link = /Shared at<\/dt><dd><a href="([^"]*)"/u.exec(shared.html)?.[1] ?? '';
    expect(link).toMatch(/^http:\/\/localhost\/q\/[\w-]{22}$/u);
    const quote = await see(new URL(link).pathname, personsBrowser());
    expect(quote.status).toBe(200);
    expect(quote.headers.get('x-robots-tag')).toBe('noindex, nofollow');
    expect(quote.headers.get('cache-control')).toBe('no-store');
    expect(quote.headers.getSetCookie()).toEqual([]);
    expect(quote.html).toContain('<meta name="robots" content="noindex, nofollow"');
    const walruses = [...quote.html.matchAll(/speaks of walrus (\d+)/gu)].map(([, n]) => Number(n));
    expect([...new Set(walruses)].toSorted((a, b) => a - b)).toEqual([18, 19, 20, 21, 22]);
    expect(quote.html).toContain('<title>“Paragraph number 20 speaks of walrus 20.” – Periscope</title>');
    expect(quote.html).toMatch(/<meta property="og:description" content="From [^"]+, as it was on \d{4}-\d\d-\d\d\."/u);
    expect(quote.html).toContain('<meta property="og:image" content="http://localhost/pictures/preview.png"');
    expect(quote.html).toContain('<mark>Paragraph number 20 speaks of walrus 20.</mark>');
    expect(quote.html).toContain(
      'href="https://docs.acme.dev/long#:~:text=Paragraph%20number%2020%20speaks%20of%20walrus%2020."',
    );
    expect(textOf(quote.html)).toMatch(/SHA-256 of the page’s text\s+[0-9a-f]{64}/u);
    expect(quote.html).not.toContain(cursor);

    const ended = await share(shared, 'nobody');
    expect(ended.html).not.toContain('/q/');
    const gone = await see(new URL(link).pathname, personsBrowser());
    const never = await see('/q/aaaaaaaaaaaaaaaaaaaaaa', personsBrowser());
    const none = await see('/q/none', personsBrowser());
    expect([gone.status, never.html, none.html]).toEqual([404, gone.html, gone.html]);
    const again = await share(await see(path), 'anyone');
    expect(again.html).not.toContain(link);
  });

  it('is not created for a private page, whatever the form says, or for too many lines', async () => {
    const { cursor } = await open('https://shares.acme.dev/s/Ab3dE9xQ7wZr');
    const path = `/c/${cursor}/L0-L0`;
    const page = await see(path);
    expect(page.html).not.toContain('Share this quote');
    expect(textOf(page.html)).toContain('you alone');
    const refused = await share(page, 'anyone');
    expect(textOf(refused.html)).toContain('the page may be shown to this user only');
    expect(refused.html).not.toContain('/q/');
    const long = await open('https://docs.acme.dev/huge');
    const much = await share(await see(`/c/${long.cursor}/L0-L199`), 'anyone');
    expect(textOf(much.html)).toContain('A quote has at most 2000 characters.');
  });

  it('is not shown while the operator blocks its source, or when its URL counts as a secret', async () => {
    const { cursor } = await open('https://docs.acme.dev/alarms');
    const path = linkIn(await share(await see(`/c/${cursor}/L2-L2`), 'anyone'));
    expect((await see(path)).status).toBe(200);
    for (const url of ['http://10.1.2.3/x', 'https://docs.acme.dev/alarms?token=abcdef']) {
      await env.DB.prepare(`UPDATE citations SET url = ? WHERE cursor = ?`).bind(url, cursor).run();
      expect((await see(path)).status).toBe(404);
    }
  });
});

describe('the list of citations', () => {
  it('explains the first step, and then opens, shares and deletes citations', async () => {
    await env.DB.prepare(`DELETE FROM citations`).run();
    expect(textOf((await see('/console/citations')).html)).toContain('No citations yet.');
    const { cursor } = await open('https://docs.acme.dev/alarms');
    const quotes = ['An alarm wakes a durable object', 'It may be set again'];
    for (const quote of quotes) structured(await callTool('modern', 'cite', { cursor, quote, note: `<b>${quote}` }));
    const list = await see('/console/citations');
    expect(list.html).toContain('&lt;b&gt;It may be set again');
    const links = [...list.html.matchAll(/<a href="(\/c\/[^"]*)"/gu)].map(([, to = '']) => to);
    expect(links).toHaveLength(2);
    for (const to of links) expect((await see(to)).status).toBe(200);
    const shared = await press(list, 'share');
    const link = /<a href="(\/q\/[^"]*)"/u.exec(shared.html)?.[1] ?? '';
    expect((await see(link, personsBrowser())).html).toContain(`<mark>${quotes[1]}</mark>`);
    expect(textOf(shared.html)).toContain('Shared. Anyone with the link can read the quote.');
    const asked = await press(shared, 'unshare');
    expect(textOf(asked.html)).toContain('Stop sharing this quote?');
    expect((await see(link)).status).toBe(200);
    expect(pageOf(await owner.submit(asked, '/console/citations', {})).html).not.toContain('/q/');
    expect((await see(link)).status).toBe(404);
    expect(list.html).toContain('name="confirm" value="citation"');
    const left = await press(list, 'delete');
    expect(left.html).not.toContain(quotes[1]);
    expect(left.html).toContain(quotes[0]);
    expect(textOf((await press(list, 'delete')).html)).toContain('no longer exists');
  });

  it('shows older ones on further pages, without duplicates and without those of other users', async () => {
    const others = await grantFor('list-other', ['web:read']);
    const theirs = await open('https://docs.acme.dev/alarms', others);
    const cited = await callTool(
      'modern',
      'cite',
      { cursor: theirs.cursor, quote: 'It fires once.' },
      { token: others },
    );
    structured(cited);
    await env.DB.prepare(`DELETE FROM citations WHERE cursor <> ?`).bind(theirs.cursor).run();
    const { cursor } = await open('https://docs.acme.dev/long');
    for (let n = 0; n < 55; n += 1) {
      const quote = `Paragraph number ${n} speaks of walrus ${n}.`;
      structured(await callTool('modern', 'cite', { cursor, quote }));
    }
    const seen: string[] = [];
    let next: string | undefined = '/console/citations';
    while (next !== undefined) {
      const page: Shown = await see(next);
      seen.push(...[...page.html.matchAll(/<blockquote lang="">([^<]*)/gu)].map(([, quote = '']) => quote));
      next = /<a href="([^"]*)">Older/u.exec(page.html)?.[1];
    }
    expect(seen.toSorted()).toEqual(
      Array.from({ length: 55 }, (_, n) => `Paragraph number ${n} speaks of walrus ${n}.`).toSorted(),
    );
  });

  it('is searched by words of title, address, quote and note, in any case and language', async () => {
    await env.DB.prepare(`DELETE FROM citations`).run();
    expect((await see('/console/citations')).html).not.toContain('role="search"');
    const { cursor } = await open('https://docs.acme.dev/long');
    structured(await callTool('modern', 'cite', { cursor, quote: 'Paragraph number 0 speaks of walrus 0.' }));
    const cited = await env.DB.prepare('SELECT * FROM citations').first();
    const columns = Object.entries(cited ?? {});
    const insert = env.DB.prepare(`INSERT INTO citations VALUES (${columns.map(() => '?').join()})`);
    const copyOf = (n: number) => ({ id: `copy-${n}`, quote: `Paragraph number ${n} speaks of walrus ${n}.` });
    await env.DB.batch(
      Array.from({ length: 219 }, (_, n) => {
        const copy: Record<string, unknown> = { ...cited, ...copyOf(n + 1) };
        return insert.bind(...columns.map(([name]) => copy[name]));
      }),
    );
    const set = 'UPDATE citations SET title = ?, url = ?, note = ?, quote = ? WHERE quote LIKE ?';
    const rename = (n: number, title: string, url: string, note: string | null, quote: string) =>
      env.DB.prepare(set).bind(title, url, note, quote, `Paragraph number ${n} speaks%`).run();
    await rename(7, 'Öffnungszeiten', 'https://xn--mnchen-3ya.de/z%C3%BCge', null, 'Der Zoo ist ab ACHT Uhr offen.');
    await rename(8, '天気予報', 'https://tenki.example/', 'Regen in der Woche', '明日の東京は雨です。');
    const found = async (q: string) => {
      const { html } = await see(`/console/citations?${new URLSearchParams({ q }).toString()}`);
      return [...html.matchAll(/<blockquote lang="">([^<]*)/gu)].map(([, quote = '']) => quote);
    };
    for (const q of ['öffnungs', 'OFFNUNGSZEITEN', 'acht uhr', 'uhr MÜNCHEN.de', 'xn--mnchen-3ya.de', 'züge Zoo']) {
      expect([q, await found(q)]).toEqual([q, ['Der Zoo ist ab ACHT Uhr offen.']]);
    }
    for (const q of ['天気', '東京 天気', 'tenki.example', 'REGEN woche']) {
      expect([q, await found(q)]).toEqual([q, ['明日の東京は雨です。']]);
    }
    expect(await found('speaks walrus 219.')).toEqual(['Paragraph number 219 speaks of walrus 219.']);
    const none = await see('/console/citations?q=walrus+acht');
    expect(textOf(none.html)).toContain('No citations match. Show all');
    expect(none.html).toContain('value="walrus acht"');

    const seen: string[] = [];
    let next: string | undefined = '/console/citations?q=Walrus';
    while (next !== undefined) {
      const page: Shown = await see(next.replaceAll('&amp;', '&'));
      seen.push(...[...page.html.matchAll(/<blockquote lang="">([^<]*)/gu)].map(([, quote = '']) => quote));
      next = /<a href="([^"]*)">Older/u.exec(page.html)?.[1];
    }
    expect([seen.length, new Set(seen).size]).toEqual([218, 218]);

    const path = '/console/citations?q=acht';
    const shared = pageOf(await owner.submit(await see(path), path, { do: 'share' }));
    expect(new URL(shared.url).search).toContain('q=acht');
    expect(shared.html).toContain('Der Zoo ist ab ACHT Uhr offen.');
    expect(shared.html).not.toContain('walrus');
  });

  it('is not accessible to other users, nor by forms of their own', async () => {
    const stranger = personsBrowser();
    expect((await see('/console/citations', stranger)).html).toContain('action="/sign-in"');
    const { cursor } = await open('https://docs.acme.dev/alarms');
    structured(await callTool('modern', 'cite', { cursor, quote: 'It fires once.' }));
    const fields: [string, string][] = [
      ...formFields((await see('/console/citations')).html, '/console/citations'),
      ['do', 'delete'],
    ];
    expect(pageOf(await stranger.post('/console/citations', fields)).status).toBe(403);
    expect(pageOf(await owner.post('/console/citations', fields, { origin: 'https://evil.acme.dev' })).status).toBe(
      403,
    );
    expect((await see('/console/citations')).html).toContain('It fires once.');
  });
});

describe('a stored citation', () => {
  it('opens after its cursor has expired, only for its owner', async () => {
    const { cursor } = await open('https://docs.acme.dev/alarms');
    const path = `/c/${cursor}/L2-L2`;
    structured(
      await callTool('modern', 'cite', { cursor, quote: 'An alarm wakes a durable object', note: 'for later' }),
    );
    const stub = env.CLIENT.get(env.CLIENT.idFromName((await signInIdentity()).ownerSubject));
    await runInDurableObject(stub, (_, state) => void state.storage.sql.exec(`UPDATE cursors SET expires_at = 0`));
    const page = await see(path);
    expect(linesOf(page).get(2)?.marked).not.toBe('');
    expect(textOf(page.html)).toContain('for later');
    expect((await see(`/c/${cursor}`)).status).toBe(200);
    await env.DB.prepare(`UPDATE citations SET subject = 'somebody'`).run();
    expect((await see(path)).status).toBe(404);
  });
});
