/** Maximum characters at the start of an XML file in which the root element may declare namespaces. */
const ROOT_CHARS_MAX = 20_000;
const DECLARED = /\sxmlns:([\w.-]{1,60})="([^"<>]{1,200})"/g;
const NAME = /(<\/?|\s(?:xmlns:)?)([\w.-]{1,60})(?=[:=])/g;

/**
 * Renames namespace prefixes to the usual ones: this code looks for `text:p`, but a file may declare `ns2` for that
 * namespace. A prefix stays if the file declares the usual one for another namespace. Linear.
 * @param usual prefixes by namespace URI
 */
export function renamePrefixes(xml: string, usual: Readonly<Record<string, string>>): string {
  const renamed = new Map<string, string>();
  const declared = [...xml.slice(0, ROOT_CHARS_MAX).matchAll(DECLARED)];
  const taken = new Set(declared.map(([, prefix = '']) => prefix));
  for (const [, prefix = '', address = ''] of declared) {
    const name = usual[address];
    if (name !== undefined && name !== prefix && !taken.has(name)) renamed.set(prefix, name);
  }
  if (renamed.size === 0) return xml;
  return xml.replace(NAME, (all, before: string, prefix: string) => {
    const name = renamed.get(prefix);
    return name === undefined ? all : before + name;
  });
}
