/** A stored page as a protocol resource: its Markdown (`cache`), or its fetch metadata (`meta`). */
type ResourceAddress = { kind: 'cache' | 'meta'; snapshot: string };

export const CACHE_RESOURCE_TEMPLATE = 'resource://cache/{sha256}';
export const META_RESOURCE_TEMPLATE = 'resource://meta/{sha256}';

export function cacheUri(snapshot: string): string {
  return `resource://cache/${snapshot}`;
}

/** Parses a resource URI; `null` for a URI that this server does not use. */
export function parseResourceUri(uri: string): ResourceAddress | null {
  const [, kind, snapshot] = /^resource:\/\/(cache|meta)\/([0-9a-f]{64})$/.exec(uri) ?? [];
  if (snapshot === undefined) return null;
  return { kind: kind === 'meta' ? 'meta' : 'cache', snapshot };
}
