/**
 * Says that the work at hand is now on this page or file.
 * @throws {PeriscopeError} `skipped` when it was in work each time that the server hung
 */
export type WorksOn = (address: string) => Promise<void>;
