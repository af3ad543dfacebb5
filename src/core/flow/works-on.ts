/**
 * Reports the page or file that the current work is about.
 * @throws {PeriscopeError} `skipped` if the server hung repeatedly while working on it
 */
export type WorksOn = (address: string) => Promise<void>;
