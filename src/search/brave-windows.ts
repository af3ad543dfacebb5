import type { RateWindow } from '#client/rate-windows.ts';
import { SECOND_MS } from '#core/units.ts';

const POLICY = /^(\d{1,9})\s*;\s*w=(\d{1,9})$/;
const NUMBER = /^\d{1,9}$/;

/**
 * The windows of Brave's `X-RateLimit-*` headers, which list one value a window: `Policy` `1;w=1, 15000;w=2592000`,
 * `Remaining` `0, 14999`, `Reset` `1, 1419704` in seconds. A window with the limit 0 is one that a plan does not count.
 * Empty without a readable policy. Pure.
 */
export function braveWindows(headers: Headers): RateWindow[] {
  const remaining = numbers(headers.get('x-ratelimit-remaining'));
  const reset = numbers(headers.get('x-ratelimit-reset'));
  return parts(headers.get('x-ratelimit-policy')).flatMap((part, index) => {
    const [, limit, seconds] = POLICY.exec(part) ?? [];
    if (limit === undefined || seconds === undefined) return [];
    const resetSeconds = reset[index] ?? null;
    return [
      {
        limit: Number(limit),
        windowMs: Number(seconds) * SECOND_MS,
        remaining: remaining[index] ?? null,
        resetMs: resetSeconds === null ? null : resetSeconds * SECOND_MS,
      },
    ];
  });
}

function numbers(value: string | null): (number | null)[] {
  return parts(value).map((part) => (NUMBER.test(part) ? Number(part) : null));
}

function parts(value: string | null): string[] {
  return value === null ? [] : value.split(',').map((part) => part.trim());
}
