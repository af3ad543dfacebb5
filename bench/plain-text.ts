/** Markdown without its marks, pictures, frames and fields, for word scores. */
export function plainText(markdown: string): string {
  return joined(markdown)
    .replace(/^[\s>]*(?:`{3,}|~{3,}).*$/gm, '')
    .replace(/^[\s>]*\|(?:\s*:?-+:?\s*\|)+\s*$/gm, '')
    .replace(/!\[((?:\\.|[^\]\\])*)\]\([^)]*\)/g, '')
    .replace(/\[Frame: (?:\\.|[^\]\\])*\]\([^)]*\)/g, '')
    .replace(/\[(?:(?:one|any) of: |[a-z -]*(?:field|text area|slider)\b)(?:\\.|[^\]\\])*\]/g, '')
    .replace(/\[\^([^\]]+)\]:?/g, '$1 ')
    .replace(/\]\((?:https?:|mailto:)[^)]*\)/g, '')
    .replace(/(^|[^\\])\[/g, '$1')
    .replace(/<\/?(?:sub|sup)>/g, '')
    .replace(/<br>/g, ' ')
    .replace(/^(\s*)(?:>\s*)+/gm, '$1')
    .replace(/^\s*(?:[-*+]|\d+[.)])\s(?:\[[ x]\] )?/gm, '')
    .replace(/^#{1,6}\s/gm, '')
    .replace(/(^|[^\\])(?:\*\*|\*|~~|`+)/g, '$1')
    .replace(/\\([\\`*_{}[\]()#+.!|<>&$~-])/g, '$1')
    .replace(/\\$/gm, '');
}

const OWN_LINE = /^\s*(?:#{1,6}\s|[-*+]\s|\d+[.)]\s|\||`{3,}|~{3,}|>|\[\^|\$\$)/;

/** No space follows these characters in their scripts. */
const FULL_WIDTH_END = /[。！？」』）]$/;

/** Joins the lines of prose, which is broken at sentences. */
function joined(markdown: string): string {
  const out: string[] = [];
  let fenced = false;
  let open = false;
  for (const line of markdown.split('\n')) {
    const isFence = /^[\s>]*(?:`{3,}|~{3,})/.test(line);
    const own = fenced || isFence || line.trim() === '' || OWN_LINE.test(line);
    if (isFence) fenced = !fenced;
    const last = out.at(-1);
    if (!own && open && last !== undefined && !last.endsWith('\\'))
      out[out.length - 1] = `${last}${FULL_WIDTH_END.test(last) ? '' : ' '}${line.trim()}`;
    else out.push(line);
    open = !fenced && !isFence && line.trim() !== '' && !/^\s*(?:#{1,6}\s|\|)/.test(line);
  }
  return out.join('\n');
}
