import { COPY_SCRIPT } from '#generated/copy-script.ts';

/**
 * Text to copy and paste elsewhere, with a copy button if scripts run. @param what names the text for screen readers
 */
export function CopyableText({ text, what }: { text: string; what: string }) {
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
