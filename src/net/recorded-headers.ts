import { HEADER_CHARS_MAX } from './limits.ts';

/** Response headers worth keeping with a snapshot: none that carries a secret or a session. */
const RECORDED = [
  'age',
  'cache-control',
  'content-encoding',
  'content-language',
  'content-length',
  'content-type',
  'date',
  'etag',
  'expires',
  'last-modified',
  'server',
  'vary',
  'x-robots-tag',
];

export function recordedHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    RECORDED.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value.slice(0, HEADER_CHARS_MAX)]];
    }),
  );
}

/** A group `name:` opens a list for one crawler; these directives carry a value after a colon themselves. */
const VALUED = new Set(['max-snippet', 'max-image-preview', 'max-video-preview', 'unavailable_after']);

/**
 * What `X-Robots-Tag` says to everyone or to us (`noindex`, `noai`, …), in lower case. It is recorded, not obeyed:
 * reading a page for one person is neither indexing nor training.
 */
export function robotsTags(headers: Headers, productToken: string): string[] {
  const value = headers.get('x-robots-tag');
  if (value === null) return [];
  const tags: string[] = [];
  let isForUs = true;
  for (const part of value.slice(0, HEADER_CHARS_MAX).toLowerCase().split(',')) {
    const colon = part.indexOf(':');
    const name = part.slice(0, Math.max(0, colon)).trim();
    const isAgent = colon >= 0 && !VALUED.has(name);
    if (isAgent) isForUs = name === '*' || name === productToken.toLowerCase();
    const tag = (isAgent ? part.slice(colon + 1) : part).trim();
    if (isForUs && /^[a-z_-]+$/.test(tag)) tags.push(tag);
  }
  return [...new Set(tags)];
}
