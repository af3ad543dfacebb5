import { extract } from '#extract/extract.ts';

/** The Markdown of a page: of the main content if its name is `readable-…`, otherwise of all. Ends with a line feed. */
export async function goldenOf(name: string, html: string): Promise<string> {
  const { lines } = await extract({
    kind: 'html',
    text: html,
    bytes: new TextEncoder().encode(html),
    url: 'https://docs.example/guide/page',
    mode: name.startsWith('readable-') ? 'readable' : 'raw',
  });
  return `${lines.join('\n')}\n`;
}
