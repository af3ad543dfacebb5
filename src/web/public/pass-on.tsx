import { asBibtex, asMarkdown } from '#reading/cite/citation-texts.ts';
import { CopyableText } from '#web/copyable.tsx';

/** `documentId`: SHA-256, in hex, of the page's text as it was fetched. */
type Props = Parameters<typeof asMarkdown>[0] & { isShared: boolean; documentId: string };

export function CopyCitation({ isShared, documentId, ...cited }: Props) {
  return (
    <details>
      <summary>Copy this citation</summary>
      <h2>Link</h2>
      {isShared ? null : <p class="facts">Only you can open this link, until you share the quote.</p>}
      <CopyableText text={cited.link} what="the link" />
      <h2>Markdown</h2>
      <CopyableText text={asMarkdown(cited)} what="as Markdown" />
      <h2>BibTeX</h2>
      <CopyableText text={asBibtex(cited)} what="as BibTeX" />
      <h2>SHA-256 of the page’s text</h2>
      <CopyableText text={documentId} what="the hash" />
    </details>
  );
}
