/** Adds an entry to a map of limited size as its newest entry, and drops the oldest entry if there are too many. */
export function setBounded<T>(map: Map<string, T>, key: string, value: T, max: number): void {
  map.delete(key);
  const [oldest] = map.size >= max ? map.keys() : [];
  if (oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}
