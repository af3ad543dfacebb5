/** The names of scopes in a row, as lists of clients and tokens show them. */
export function ScopeNames({ scopes }: { scopes: readonly string[] }) {
  return (
    <>
      {scopes.map((scope) => (
        <>
          <code>{scope}</code>{' '}
        </>
      ))}
    </>
  );
}

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
