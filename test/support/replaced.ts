type Method = (...args: unknown[]) => unknown;

/**
 * Puts something of a test's own before a method of the platform.
 * @param instead gets the method, whose it is and the arguments
 * @returns how to put the method back
 */
export function replaced(
  owner: object,
  name: string,
  instead: (method: Method, self: unknown, args: unknown[]) => unknown,
): () => void {
  const method: Method = Reflect.get(owner, name);
  Reflect.set(owner, name, function (this: unknown, ...args: unknown[]): unknown {
    return instead(method, this, args);
  });
  return () => void Reflect.set(owner, name, method);
}
