// Made by npm run docs from package.json.
export const VERSION = '0.2.0';
/** Where people find the source and the documentation; `null` while package.json names no repository. */
export const REPOSITORY: string | null = null;
