export const CACHE_RESOURCE_TEMPLATE = 'resource://cache/{sha256}';
export const META_RESOURCE_TEMPLATE = 'resource://meta/{sha256}';

export function cacheUri(snapshot: string): string {
  return `resource://cache/${snapshot}`;
}
