/**
 * Checks the id of a site config before anything is fetched for it. The configs are loaded only for that.
 * @throws {PeriscopeError} `invalid_argument`, naming the existing ids
 */
export async function checkSiteConfigId(id: string | undefined): Promise<void> {
  if (id === undefined) return;
  const [{ siteConfigOf }, { SITE_CONFIGS }] = await Promise.all([import('./choose.ts'), import('./registry.ts')]);
  siteConfigOf(id, SITE_CONFIGS);
}
