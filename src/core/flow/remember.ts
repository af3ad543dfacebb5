/** Adds an entry to a map of bounded size, and drops its oldest one. */
export function remember<T>(map: Map<string, T>, key: string, value: T, max: number): void {
  const [oldest] = map.size >= max ? map.keys() : [];
  if (oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}
