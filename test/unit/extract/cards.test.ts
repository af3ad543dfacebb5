import { describe, expect, it } from 'vitest';
import { mainLines } from '#core/document/document.ts';
import { completeCardTexts } from '#extract/html/main/cards.ts';
import { divideIntoSegments } from '#extract/html/main/segments.ts';
import { ContentSelection } from '#extract/html/main/selection.ts';
import { parsePage } from '#extract/html/parse-page.ts';
import { read } from './support.ts';

const POSTS = [
  ['Tidewater Labs', '1d ago', 'We are adding 40 places to the summer programme. Applications close on Friday.'],
  ['Ines Okafor', '1d ago', 'My return offer came today after a great summer at the harbour office. Ask me about it!'],
  ['Quay Systems', '3d ago', 'We hold an evening about careers in pilot training next Thursday at five. Sign up!'],
  ['Bo Lindgren', '3d ago', 'First week as an engineer is over. The reviews here teach me more than any course did.'],
  ['Mole', '3d ago', 'We believe in pumps that are safe and simple. Our applications for research are open now.'],
  ['Aya Haddad', '4d ago', 'I am going to the conference of harbour engineers next week. Who else will be there?'],
  ['Amber Line', '4d ago', 'The meeting was wonderful this year! Missed it? Read our summary of the talks.'],
  ['Kit Byrne', '4d ago', 'After six months of practice I passed all of my interviews. Here is what helped me.'],
];

const initials = (name: string) => name.replace(/[^A-Z]/g, '');

function post([name = '', time = '', text = '']: readonly string[], index: number): string {
  return `<div class="feed-post" data-post-id="${index}">
    <div class="feed-post-header"><div class="avatar avatar-medium">${initials(name)}</div>
      <div class="feed-post-author-info">
        <div class="feed-post-author-row"><span class="feed-post-author-name">${name}</span></div>
        <div class="feed-post-meta">${time}</div>
      </div>
      <div class="feed-post-menu"><button class="icon-btn"><svg></svg></button></div></div>
    <div class="feed-post-content">${text}</div>
    <div class="feed-post-actions"><button><span>${300 - index * 17}</span></button><button>Share</button></div></div>`;
}

const FEED = `<html lang="en"><head><title>Harbour careers</title></head><body><div id="app"><div class="sidebar">
  <div class="sidebar-logo">Harbour careers</div><nav class="sidebar-nav"><a>Feed</a><a>Jobs</a><a>Events</a></nav></div>
  <div class="main-content"><h2 class="section-title">Feed</h2>
  <div class="filter-chips"><button>All</button><button>Employers</button></div>
  <div class="feed-posts">${POSTS.map(post).join('')}</div></div></div></body></html>`;

const MAILS = [
  ['Sara Holm', 'Mar 7', 'Plan for the second quarter', 'Hi Alex, the last draft of our plan is ready.'],
  ['Emil Rossi', 'Mar 7', 'Re: Terms of the loan', 'Alex, the terms look good overall.'],
  ['Dan Kim', 'Mar 7', 'Working together', 'Hi Alex, this is about our talk at the conference.'],
  ['Tom Brandt', 'Mar 7', 'Re: Moving the machines', 'Alex, the move is on time.'],
  ['Tom Brandt', 'Mar 7', 'Report on the tables', 'The report of the month: requests got faster by a fifth.'],
  ['May Patel', 'Mar 6', 'What the check found', 'The check is done: most rules are met, and a dozen are not.'],
];

const mail = ([name = '', time = '', subject = '', start = '']: readonly string[]) =>
  `<div class="email-row unread" role="row"><div class="avatar">${initials(name)}</div><div class="email-content">
    <div class="email-header-row"><span>${name}</span> <span>${time}</span></div>
    <div class="email-subject-row"><span>${subject}</span></div>
    <div class="email-snippet-row">${start} Can you take a look at this soon?</div></div></div>`;

const INBOX = `<html lang="en"><head><title>Mail</title></head><body><header class="top-bar"><div class="logo">Mail</div></header>
  <div class="main"><div class="split-tabs"><button>Important 6</button><button>Other 4</button></div>
  <div class="email-list">${MAILS.map(mail).join('')}</div></div></body></html>`;

describe('the main part of an application', () => {
  const mainOf = async (html: string) => {
    const page = await read('html', html, 'readable', 'https://app.example/');
    return mainLines(page).filter((line) => line !== '');
  };

  it('has the author and the time before each post of a feed', async () => {
    const lines = await mainOf(FEED);
    for (const [name, time, text = ''] of POSTS) {
      const start = lines.findIndex((line) => text.startsWith(line));
      expect(lines.slice(start - 2, start)).toEqual([name, time]);
    }
  });

  it('has the sender and the subject before each message of an inbox', async () => {
    const lines = await mainOf(INBOX);
    for (const [name, time, subject, text = ''] of MAILS) {
      const start = lines.findIndex((line) => text.startsWith(line));
      expect(lines.slice(start - 2, start)).toEqual([`${name} ${time}`, subject]);
    }
  });
});

const BAR = 0.5;
/** Log odds of -0.4, -1.4 and -4.6. */
const CHANCES = { near: 0.4, off: 0.2, far: 0.01 };

/** The kept texts if the first word of a text states its chance. Other texts are kept from the start. */
function kept(html: string): string[] {
  const { segments } = divideIntoSegments(parsePage(html, false).document.body);
  const named = new Map<string | undefined, number>(Object.entries(CHANCES));
  const chances = segments.map(({ text }) => named.get(text.split(' ')[0]) ?? 0.9);
  const keep = chances.map((chance) => chance > BAR);
  const selection = new ContentSelection(segments, chances, { keep, bar: BAR }, 0.5);
  completeCardTexts(
    selection,
    segments.map(() => false),
  );
  return segments.filter(({ index }) => selection.has(index)).map(({ text }) => text);
}

const NAMES = ['Draft', 'Waiting', 'Payment', 'Overdue'];
const cards = (inner: (name: string, index: number) => string) =>
  `<main>${NAMES.map((name, index) => `<div class="card card-${name}"><p>${name}</p>${inner(name, index)}</div>`).join('')}</main>`;

describe('the cards of a list', () => {
  it.each([
    ['close to the bar', (name: string) => `<div class="sum">near sum of ${name}</div>`],
    ['amounts, even if two are equal', (_: string, index: number) => `<div class="sum">near $${index % 2}.00</div>`],
    ['kept in most of the cards', (_: string, index: number) => `<div class="sum">${index === 1 ? 'off' : 'On'}</div>`],
    [
      'links, if most of these are kept',
      (name: string, index: number) => `<div class="by"><a href="/x">${index === 1 ? 'off' : name}</a></div>`,
    ],
  ])('keep their short texts that are %s', (_, inner) => {
    expect(kept(cards(inner))).toHaveLength(2 * NAMES.length);
  });

  it.each([
    ['are further below the bar', (name: string) => `<div class="sum">off sum of ${name}</div>`],
    ['are the same in all cards', () => '<div class="sum">near Follow</div>'],
    ['are buttons', (name: string) => `<div class="sum"><button>near Follow ${name}</button></div>`],
    ['are in buttons', (name: string) => `<button><div class="sum">near Follow ${name}</div></button>`],
    ['are links', (name: string) => `<div class="sum"><a href="/x">near All of ${name}</a></div>`],
    ['are long', (name: string) => `<div class="sum">near ${`${name} `.repeat(40)}</div>`],
    [
      'are in few of the cards',
      (name: string, index: number) => (index === 2 ? `<b>near</b><div>near ${name}</div>` : ''),
    ],
  ])('do not keep texts that %s', (_, inner) => {
    expect(kept(cards(inner))).toEqual(NAMES);
  });

  it('keep nothing if few of the cards are partly kept', () => {
    const card = (name: string) => `<div class="card"><p>${name}</p><div class="sum">near sum of ${name}</div></div>`;
    expect(kept(['Draft', 'far a', 'far b', 'far c'].map(card).join(''))).toEqual(['Draft']);
  });
});
