import { COPY_SCRIPT } from '#generated/copy-script.ts';

/**
 * Text to paste elsewhere, with a copy button where scripts run.
 * @param what describes the text, for the button's accessible name
 */
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

export function CopyScript() {
  return <script dangerouslySetInnerHTML={{ __html: COPY_SCRIPT }} />;
}
