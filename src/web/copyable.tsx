import { COPY_SCRIPT } from '#generated/copy-script.ts';

/** Text to paste elsewhere, with a button that copies it where scripts run. @param what it is, for the button's name */
export function Copyable({ text, what }: { text: string; what: string }) {
  return (
    <div class="copy">
      <code>{text}</code>
      <button type="button" data-copy hidden>
        Copy <span class="unseen">{what}</span>
      </button>
      <span role="status" class="said"></span>
    </div>
  );
}

/** Once, at the end of a page with something to copy. */
export function CopyScript() {
  return <script dangerouslySetInnerHTML={{ __html: COPY_SCRIPT }} />;
}
