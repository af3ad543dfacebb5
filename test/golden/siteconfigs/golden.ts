import { extract } from '#extract/extract.ts';

/** `github.html` is on GitHub; the pages of the engines are on a host that no config names. */
const HOMES: Readonly<Record<string, string>> = { github: 'https://github.com/example/tidepool' };

/** The Markdown of a page, after the site config that was used and how it was found. Ends with a line feed. */
export async function siteGoldenOf(name: string, html: string): Promise<string> {
  const { title, siteconfig, explanation, lines } = await extract({
    kind: 'html',
    text: html,
    bytes: new TextEncoder().encode(html),
    url: HOMES[name] ?? 'https://docs.example/guide/page',
    mode: 'readable',
  });
  const head = ['---', `title: ${title}`, `siteconfig: ${siteconfig}`, `match: ${explanation.siteconfigMatch}`, '---'];
  return `${[...head, ...lines].join('\n')}\n`;
}
