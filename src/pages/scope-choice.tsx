type Props = { scope: string; sentence: string; ticked: boolean };

/** One permission that a form offers. */
export function ScopeChoice({ scope, sentence, ticked }: Props) {
  return (
    <label class="choice">
      <input type="checkbox" name="scope" value={scope} checked={ticked} />
      <span>
        {sentence} <code>{scope}</code>
      </span>
    </label>
  );
}
