export type RepositoryAddress = {
  owner: string;
  /** The address for a browser. */
  web: string;
  homepage: string;
  bugs: string;
  /** The server's name in the MCP registry. Only the GitHub account in it may publish it. */
  mcpName: string;
};

const GITHUB = /^(?:git\+)?(https:\/\/github\.com\/([\w-]+)\/([\w.-]+?))(?:\.git)?$/;

/**
 * The one setting for everything that links to the repository: `repository.url` in `package.json`.
 * @returns `null` while it is not set
 * @throws {Error} if it is not a repository on GitHub
 */
export function repositoryAddress(about: { repository?: { url: string } | undefined }): RepositoryAddress | null {
  if (about.repository === undefined) return null;
  const [, web, owner, name] = GITHUB.exec(about.repository.url) ?? [];
  if (web === undefined || owner === undefined || name === undefined) {
    throw new Error(`package.json: repository.url must look like git+https://github.com/ACCOUNT/NAME.git`);
  }
  return { owner, web, homepage: `${web}#readme`, bugs: `${web}/issues`, mcpName: `io.github.${owner}/${name}` };
}
