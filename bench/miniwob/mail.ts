import { exactly, refIn } from './page.ts';
import type { Page, Solver, Solvers } from './page.ts';

/** Mailboxes and feeds: icons without names, in the row or message that they belong to. */
export const MAIL: Solvers = {
  ...Object.fromEntries(
    [
      '',
      '-delete',
      '-forward',
      '-forward-nl',
      '-forward-nl-turk',
      '-important',
      '-nl-turk',
      '-noscroll',
      '-reply',
      '-star-reply',
    ].map((kind): [string, Solver] => [`email-inbox${kind}`, mail]),
  ),
  'social-media': async (page) => {
    const [user = '', button = ''] = page.asked(/user (@\S+), click on the "(.+)" button/);
    const icons = iconsAfter(
      page,
      page.view.findIndex((line) => line.includes(`${user} `)),
    );
    const icon = ['Reply', 'Retweet', 'Like'].indexOf(button);
    if (icon !== -1) {
      await page.click(icons[icon] ?? '');
      return;
    }
    await page.clickAndLook(icons[3] ?? '');
    const label = ['Mute', 'Block'].includes(button) ? `${button} ${user}` : button;
    await page.click(new RegExp(`"${exactly(label)}"`));
  },
  'social-media-all': feed,
  'social-media-some': feed,
};

async function feed(page: Page): Promise<void> {
  const [button = '', count = '', user = ''] = page.asked(/the "(.+)" button on (all|\d+) posts? by (@\S+) and/);
  const icon = ['Reply', 'Retweet', 'Like', 'Share'].indexOf(button);
  const posts = page.view.flatMap((line, at) => (line.endsWith(` ${user}`) ? [at] : []));
  for (const at of count === 'all' ? posts : posts.slice(0, Number(count))) {
    await page.click(iconsAfter(page, at)[icon] ?? '');
  }
  await page.submit();
}

/** Refs of the pictures below a line, up to the next line of text that follows them. */
function iconsAfter(page: Page, at: number): string[] {
  const first = page.view.findIndex((line, index) => index > at && /@e\d+ img/.test(line));
  const rest = page.view.slice(first);
  const end = rest.findIndex((line) => !/@e\d+ img/.test(line));
  return rest.slice(0, end === -1 ? undefined : end).map((line) => refIn(line, 'img') ?? '');
}

async function mail(page: Page): Promise<void> {
  const { action, from, to, text } = wantedIn(page);
  const row = page.view.findIndex((line) => line.includes(`"${from}"`));
  const [trash = '', star = ''] = iconsAfter(page, row);
  if (action === 'delete') return page.click(trash).then(ended);
  if (action === 'star') return page.click(star).then(ended);
  await page.clickAndLook(refIn(page.view[row] ?? '', `"${from}"`) ?? from);
  await page.clickAndLook(action === 'reply' ? '"Reply"' : '"Forward"');
  await page.setFields([[page.ref('textbox', 0), action === 'reply' ? text : to]]);
  await page.click(page.ref('img', 1));
}

function ended(): void {
  // The last click ends the episode.
}

type Wanted = { action: 'delete' | 'star' | 'forward' | 'reply'; from: string; to: string; text: string };

/** Tasks in free words: the verb names the action, and the words around names their roles. */
function wantedIn(page: Page): Wanted {
  const { query } = page;
  const senders = page.view.flatMap((line, at) => (isRow(page.view[at - 1]) ? (/"(.+)"/.exec(line)?.[1] ?? []) : []));
  const named = senders.filter((name) => new RegExp(String.raw`\b${exactly(name)}\b`).test(query));
  const text = page.quoted.at(-1) ?? '';
  if (/delete|trash|remove|rid of|erase|recycl|\bbin\b|discard/i.test(query))
    return { action: 'delete', from: named[0] ?? '', to: '', text };
  if (/\bstar|im\w{0,2}portant|favorite|flag/i.test(query))
    return { action: 'star', from: named[0] ?? '', to: '', text };
  if (/repl|respon|answer|write back|^message\b|\bmessage (?:back|her|him)\b/i.test(query))
    return { action: 'reply', from: named[0] ?? '', to: '', text };
  const to = receiverIn(query, named);
  return { action: 'forward', from: named.find((name) => name !== to) ?? '', to, text };
}

function isRow(line: string | undefined): boolean {
  return /^@e\d+ (?:clickable|listitem)$/.test(line ?? '');
}

/** The receiver: one of the known names, or a name that occurs only after "to". */
function receiverIn(query: string, named: readonly string[]): string {
  const [, behind] = /\bto ([A-Z][a-z]+)\b/.exec(query) ?? [];
  if (behind !== undefined) return behind;
  const [, before] = /\b(?:give|send|forward|email) ([A-Z][a-z]+)\b(?!'s)/i.exec(query) ?? [];
  return named.find((name) => name === before) ?? /^([A-Z][a-z]+) (?:wants|is waiting|must)/.exec(query)?.[1] ?? '';
}
