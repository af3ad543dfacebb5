import { describe, expect, it } from 'vitest';
import { AtWork } from '#scripts/local/at-work.ts';

const PAGE = 'a'.repeat(64);

function book() {
  const finished: string[] = [];
  const atWork = new AtWork((pages) => finished.push(...pages));
  const take = (fact: object) => atWork.take(JSON.stringify(fact));
  return { atWork, take, finished };
}

describe('log lines about running work', () => {
  it('show which work has begun and not ended, and its pages', () => {
    const { atWork, take, finished } = book();
    take({ work: 'began', id: '1', what: 'find' });
    take({ work: 'ended', id: '1' });
    take({ work: 'began', id: '2', what: 'open_url' });
    take({ work: 'on', id: '2', page: PAGE, url: 'https://a.example/?token=REDACTED' });
    take({ work: 'on', id: 'unknown', page: PAGE, url: 'https://a.example/' });
    const url = 'https://a.example/?token=REDACTED';
    expect(atWork.interrupted()).toEqual([{ id: '2', what: 'open_url', on: [{ page: PAGE, url }] }]);
    expect(finished).toEqual([]);
    expect(atWork.interrupted()).toEqual([]);
  });

  it('name the pages of finished work, unless it was interrupted before', () => {
    const { atWork, take, finished } = book();
    for (const id of ['1', '2']) {
      take({ work: 'began', id, what: 'open_url' });
      take({ work: 'on', id, page: `${id}${PAGE.slice(1)}`, url: '' });
    }
    take({ work: 'ended', id: '1' });
    atWork.interrupted();
    take({ work: 'ended', id: '2' });
    expect(finished).toEqual([`1${PAGE.slice(1)}`]);
  });

  it('name the arguments of a call without a page, and of a finished call', () => {
    const { atWork, take, finished } = book();
    const [first, second, third] = ['1', '2', '3'].map((digit) => digit.repeat(64));
    for (const [id, call] of Object.entries({ a: first, b: second, c: third })) {
      take({ work: 'began', id, what: 'browser_click' });
      take({ work: 'call', id, call });
    }
    take({ work: 'on', id: 'b', page: PAGE, url: 'https://a.example/' });
    take({ work: 'ended', id: 'c' });
    expect(atWork.interrupted().map(({ on }) => on)).toEqual([
      [{ page: first, url: '(its arguments)' }],
      [{ page: PAGE, url: 'https://a.example/' }],
    ]);
    expect(finished).toEqual([third]);
  });

  it('are ignored for work that began so long ago that it must have ended unreported', () => {
    let now = 0;
    const atWork = new AtWork(
      () => undefined,
      () => now,
    );
    atWork.begin('1', 'open_url');
    now = 121_000;
    atWork.begin('2', 'find');
    now = 10_000_000;
    expect(atWork.interrupted().map(({ id }) => id)).toEqual(['2']);
  });

  it.each(['{"level":"info","tool":"find"}', 'uncaught exception: Error', '{"work":"unheard-of","id":"1"}'])(
    'are distinguished from other lines: %s',
    (message) => {
      expect(book().atWork.take(message)).toBe(false);
    },
  );
});
