/** The method that a call of a stub runs: one of a part of the object, or of the object itself. */
export function calledMethod(member: string, args: readonly unknown[]): string {
  return member === 'callPart' ? String(args[1]) : member;
}
