import type { SearchHit } from '#core/document.ts';
import { TITLE_CHARS_MAX } from '#core/limits.ts';
import { oneLine } from '#core/text.ts';
import { Address } from './citation.tsx';
import { Layout } from './layout.tsx';

const SNIPPET_CHARS_MAX = 400;

/** `/c/<cursor>` of a search: the results as the model got them. */
export function ResultList({ hits }: { hits: readonly SearchHit[] }) {
  return (
    <Layout title="Search results – Periscope">
      <h1>Search results</h1>
      <p class="lead">As your model got them.</p>
      {hits.length === 0 ? <p>There were none.</p> : null}
      <ol class="cards">
        {hits.map(({ title, url, snippet }) => (
          <li>
            <div>
              <strong>
                <bdi>{oneLine(title, TITLE_CHARS_MAX) || url}</bdi>
              </strong>
              <p class="facts">
                <Address url={url} />
              </p>
              <p lang="">{oneLine(snippet, SNIPPET_CHARS_MAX)}</p>
            </div>
          </li>
        ))}
      </ol>
    </Layout>
  );
}
