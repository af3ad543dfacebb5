type Method = (...args: unknown[]) => unknown;

/**
 * Replaces a method of the platform.
 * @param instead receives the original method, its object and the arguments
 * @returns a function that restores the method
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
