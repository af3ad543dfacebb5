/** Adds an entry to a map of bounded size as its newest one, and drops the oldest one if there are too many. */
export function setBounded<T>(map: Map<string, T>, key: string, value: T, max: number): void {
  map.delete(key);
  const [oldest] = map.size >= max ? map.keys() : [];
  if (oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}
