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
