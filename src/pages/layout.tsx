import type { Child } from 'hono/jsx';

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #5b6470; --paper: #fbfbf9; --line: #d9dcd6; --accent: #0b6e63; --code: #f0f1ec; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eae6; --soft: #a3aca9; --paper: #14171a; --line: #343a3f; --accent: #5cc7b8; --code: #1f2428; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 3rem 1.25rem 4rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.15rem; margin: 2.25rem 0 .5rem; }
p { margin: .5rem 0; }
.lead { color: var(--soft); font-size: 1.1rem; }
a { color: var(--accent); }
pre { background: var(--code); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
code { font: .9em/1.5 ui-monospace, monospace; }
`;

/** The SHA-256 of the one inline style, so that the content security policy can name it. */
export async function styleHash(): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(STYLE));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}

export function Layout({ title, children }: { title: string; children: Child }) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body>
        <main>{children}</main>
      </body>
    </html>
  );
}
