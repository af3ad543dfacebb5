/** A host page around a library from npm, as an application would use it. */
export type HostPage = {
  title: string;
  /** Scripts and style sheets, as paths below `node_modules`. */
  libraries: readonly string[];
  body: string;
  /** Sets the page up. Afterwards, `window.state()` returns the application's data. */
  script: string;
};

export function html({ title, libraries, body, script }: HostPage): string {
  const tags = libraries.map((path) => {
    if (path.endsWith('.css')) return `<link rel="stylesheet" href="/lib/${path}">`;
    return path.includes('/cdn/')
      ? `<script type="module" src="/lib/${path}"></script>`
      : `<script src="/lib/${path}"></script>`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,"><title>${title}</title>
${tags.join('\n')}
<style>body{font:16px sans-serif;margin:1rem 2rem}nav a{margin-right:1rem}label{display:block;margin:.5rem 0}.card{border:1px solid #999;padding:.5rem;margin:.25rem 0;background:#fff}.lists{display:flex;gap:2rem}.lists>section{min-width:14rem}</style></head>
<body><nav><a href="/">Overview</a><a href="/orders">Orders</a><a href="/help">Help</a></nav><main><h1>${title}</h1>
${body}
</main><script type="module">${script}</script></body></html>`;
}
