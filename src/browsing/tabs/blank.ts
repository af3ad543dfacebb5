/** The address of a tab before its first document. Some tabs have none at all then. */
export function isBlank(url: string): boolean {
  return url === '' || url === ':' || url === 'about:blank';
}
