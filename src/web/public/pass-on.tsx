import { asBibtex, asMarkdown } from '#reading/cite/citation-texts.ts';
import { CopyableText } from '#web/copyable.tsx';

type Props = Parameters<typeof asMarkdown>[0] & { isShared: boolean };

export function CopyCitation({ isShared, ...cited }: Props) {
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
    </details>
  );
}
