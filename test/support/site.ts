import { startOrigin, htmlPage, send } from './origin.ts';
import type { Handler, Origin } from './origin.ts';
import { proseHtml, proseMarkdown } from './prose.ts';

/** A well-behaved site: pages of several sizes, pages that change, pages that can be revalidated. */
export type Site = Origin & {
  /** Replaces the text of `/edited` and its ETag. */
  edit: (text: string) => void;
};

/** Sizes of the generated pages, in bytes. The largest stays under the default MAX_BYTES of 5,000,000. */
export const PAGE_BYTES = { small: 10_000, middle: 200_000, large: 4_900_000 } as const;

export async function startSite(port?: number): Promise<Site> {
  let visits = 0;
  let edition = { number: 1, text: 'The first edition speaks of a brass compass.' };
  const generated = new Map<string, string>();
  const once = (name: string, make: () => string) => {
    const made = generated.get(name) ?? make();
    generated.set(name, made);
    return made;
  };
  const sized = Object.entries(PAGE_BYTES).flatMap(([name, bytes]): [string, Handler][] => [
    [
      `/${name}`,
      (request, response) => send(once(name, () => htmlPage(`The ${name} log`, proseHtml(bytes))))(request, response),
    ],
    [
      `/${name}.md`,
      (request, response) =>
        send(
          once(`${name}.md`, () => `# The ${name} log\n\n${proseMarkdown(bytes)}`),
          { 'content-type': 'text/markdown; charset=utf-8' },
        )(request, response),
    ],
  ]);
  const origin = await startOrigin(
    {
      ...Object.fromEntries(sized),
      '/lighthouse': send(LIGHTHOUSE),
      '/ferry': send(FERRY),
      '/bakery': send(BAKERY),
      '/changing': (request, response) => {
        visits += 1;
        const body = `<p>This page was served ${visits} times so far.</p><p>Its edition is number ${visits}.</p>`;
        send(htmlPage('A page that changes', body), { 'cache-control': 'no-store' })(request, response);
      },
      '/edited': (request, response) => {
        const etag = `"edition-${edition.number}"`;
        if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
        else send(htmlPage('A page with editions', `<p>${edition.text}</p>`), { etag })(request, response);
      },
    },
    undefined,
    port,
  );
  return {
    ...origin,
    edit: (text) => {
      edition = { number: edition.number + 1, text };
    },
  };
}

const LIGHTHOUSE = htmlPage(
  'How a lighthouse lens works',
  `<p>A lighthouse lens gathers the light of a small flame and sends it out as a beam. The lens is made of rings of
   glass, each cut so that it bends light towards the sea.</p>
   <h2>The rings</h2>
   <p>One thick piece of glass would be too heavy to turn. Augustin Fresnel cut it into rings and kept only the curved
   part of each. The lens became light enough to float on a bath of mercury, and a child could turn it.</p>
   <h2>The characters</h2>
   <p>No two lights on one coast flash alike. A sailor reads the pattern and knows the place.</p>
   <table><thead><tr><th>Letter</th><th>Meaning</th></tr></thead><tbody>
   <tr><td>F</td><td>fixed, always on</td></tr><tr><td>Fl</td><td>flashing, more dark than light</td></tr>
   <tr><td>Oc</td><td>occulting, more light than dark</td></tr></tbody></table>
   <ol><li>Find the light on the chart.</li><li>Time one whole turn.</li><li>Compare it with the list of lights.</li></ol>
   <pre><code class="language-python">def period(flashes):
    return flashes[-1] - flashes[0]
</code></pre>`,
);

const FERRY = htmlPage(
  'The winter timetable of the ferry',
  `<p>In winter the ferry crosses twice a day. It leaves the island at eight and returns at five. When the wind is above
   force nine the captain decides alone, and nobody is told before seven.</p>
   <p>Bicycles travel free. Dogs pay half. A piano has to be announced a day ahead.</p>`,
);

const BAKERY = htmlPage(
  'Bread from yesterday',
  `<p>The bakery sells the bread of yesterday for half the price. It keeps well, because the dough rests for two days
   before it is baked. Rye needs longer than wheat, and rests for three.</p>`,
);
