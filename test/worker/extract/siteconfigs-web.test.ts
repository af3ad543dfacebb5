import { describe, expect, it } from 'vitest';
import { callTool, structured } from '../../support/mcp-call.ts';

const call = async (name: string, args: Record<string, unknown>) => structured(await callTool('modern', name, args));
const failure = async (name: string, args: Record<string, unknown>) =>
  (await callTool('modern', name, args)).result?.structuredContent;

const HTML = `<meta name="generator" content="mkdocs-1.6.1"><title>Page - Site</title>
<nav><a href="/">Home</a></nav>
<article class="md-content__inner"><h1>Page<a class="headerlink" href="#page">¶</a></h1><p>Some words.</p></article>`;

describe('site configs through the tools', () => {
  it('appear with their version in the result and the front matter, and explain shows how they were chosen', async () => {
    const page = await call('web_extract', { html: HTML, explain: true });
    expect(page).toMatchObject({ title: 'Page', siteconfig: 'mkdocs@1' });
    expect(page['markdown']).toMatch(/^---\n[^]*\nsiteconfig: mkdocs@1\n---\n# Page\n\nSome words\.$/);
    expect(page['explain']).toMatchObject({ strategy: 'site config', siteconfig_match: 'generator' });
  });

  it('can be requested', async () => {
    const page = await call('web_extract', { html: HTML, siteconfig: 'mkdocs', explain: true });
    expect(page['explain']).toMatchObject({ siteconfig_match: 'argument' });
  });

  it('are refused before any fetch if they do not exist', async () => {
    const refusal = { error: 'invalid_argument', field: 'siteconfig', hint: expect.stringContaining('mkdocs') };
    const unknown = { url: 'https://nowhere.acme.dev/', siteconfig: 'mkdoc' };
    expect(await failure('web_open', unknown)).toMatchObject(refusal);
    expect(await failure('web_open', { ...unknown, mode: 'raw' })).toMatchObject(refusal);
    expect(await failure('web_extract', { html: HTML, siteconfig: 'mkdoc' })).toMatchObject(refusal);
    expect(await failure('web_open', { url: unknown.url })).toMatchObject({ error: 'fetch_failed' });
  });

  it('read the page itself when they are requested, not its Markdown version', async () => {
    const page = await call('web_open', { url: 'https://guide.acme.dev/start', siteconfig: 'github', explain: true });
    expect(page['markdown']).toContain('The page for people');
    expect(page['explain']).not.toHaveProperty('markdown_twin');
    expect(page['siteconfig']).toBe('none');
  });
});
