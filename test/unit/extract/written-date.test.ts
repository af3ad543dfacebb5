import { expect, it } from 'vitest';
import { formatWrittenDate } from '#extract/written-date.ts';

it.each([
  ['2026-05-04T12:30:00Z', '2026-05-04 12:30 UTC'],
  ['2026-02-28T23:30:00-05:00', '2026-03-01 04:30 UTC'],
  ['Mon, 4 May 2026 00:30:00 +0200', '2026-05-03 22:30 UTC'],
  ['2024-02-29', '2024-02-29 00:00 UTC'],
])('the date %s is %s', (written, shown) => {
  expect(formatWrittenDate(written)).toBe(shown);
});

it.each(['2024-02-30T10:00:00Z', 'Fri, 31 Apr 2026 10:00:00 GMT', 'the day after'])(
  'a day that no calendar has stays as written: %s',
  (written) => {
    expect(formatWrittenDate(written)).toBe(written);
  },
);
