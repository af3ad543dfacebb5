import type { Audience, CitationShare } from '#storage/citations.ts';
import { PATHS } from '#core/paths.ts';
import { asBibtex, asMarkdown } from '#reading/cite/citation-texts.ts';
import { CopyableText } from '#web/copyable.tsx';

export const AUDIENCES: Record<Audience, string> = {
  members: 'Everyone who may sign in here',
  anyone: 'Anyone who has the link',
};

/** Parses a form's choice of who may read a quote. @returns `null` for a value that no form of this server sends */
export function parseAudience(value: string): Audience | 'nobody' | null {
  return value === 'members' || value === 'anyone' || value === 'nobody' ? value : null;
}

export function quotePath({ id }: CitationShare): string {
  return `${PATHS.quote}/${id}`;
}

type SharingFormProps = { action: string; form: string; audience: Audience | null };

export function SharingForm({ action, form, audience }: SharingFormProps) {
  return (
    <form method="post" action={action}>
      <input type="hidden" name="form" value={form} />
      <fieldset>
        <legend>Who can see this quote</legend>
        <Choice value="nobody" label="Only you" isChosen={audience === null} />
        <Choice value="members" label={AUDIENCES.members} isChosen={audience === 'members'} />
        <Choice value="anyone" label={AUDIENCES.anyone} isChosen={audience === 'anyone'} />
        <p class="facts">
          Others see the quote, two lines before and after it, and where it comes from. They do not see the rest of the
          page, nor who shares it. Changing this ends the old link.
        </p>
        <button type="submit" name="do" value="share" class="primary">
          Save
        </button>
      </fieldset>
    </form>
  );
}

function Choice({ value, label, isChosen }: { value: Audience | 'nobody'; label: string; isChosen: boolean }) {
  return (
    <label class="choice">
      <input type="radio" name="who" value={value} checked={isChosen} />
      <span>{label}</span>
    </label>
  );
}

/** `documentId`: SHA-256, in hex, of the page's text as it was fetched. */
type CopyProps = Parameters<typeof asMarkdown>[0] & { isShared: boolean; documentId: string };

export function CopyCitation({ isShared, documentId, ...cited }: CopyProps) {
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
