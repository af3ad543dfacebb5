import { describe, expect, it } from 'vitest';
import { parseRequestOptions } from '#mcp/handler.ts';
import { decideStructuredUse } from '#mcp/run/structured-hosts.ts';

const options = (query: string) => parseRequestOptions(new URL(`https://periscope.acme.dev/mcp${query}`));

describe('?toolsets=', () => {
  it('limits the tools, and without it all tools are listed', () => {
    const reader = options('?toolsets=reader');
    expect(reader.ok && reader.tools.every((tool) => tool.toolset === 'reader')).toBe(true);
    expect(options('').ok).toBe(true);
  });

  it('refuses an unknown name, and lists the valid ones', () => {
    for (const query of ['?toolsets=', '?toolsets=reader,nope', '?toolsets=__proto__', '?toolsets=toString']) {
      const refused = options(query);
      expect(refused).toMatchObject({ ok: false, problem: expect.stringContaining('reader') });
    }
  });
});

describe('?structured=', () => {
  it('overrides the defaults for the host', () => {
    expect(decideStructuredUse('on', ['claude-code/2.1.204 (cli)'], true).results).toBe(true);
    expect(decideStructuredUse('off', ['some-agent/1.0'], false).results).toBe(false);
    expect(decideStructuredUse('on', ['node'], true)).toEqual({ results: true, errors: true });
    expect(options('?structured=maybe')).toMatchObject({ ok: false });
  });

  it('is omitted from errors for clients of the 2025 era, whose library throws on it', () => {
    expect(decideStructuredUse(null, ['node'], true)).toEqual({ results: true, errors: false });
    expect(decideStructuredUse(null, ['node'], false)).toEqual({ results: true, errors: true });
  });

  it('is omitted from errors for a host that validates errors against the output schema', () => {
    expect(decideStructuredUse(null, ['inspector-cli'], false)).toEqual({ results: true, errors: false });
    expect(decideStructuredUse('on', ['inspector-cli'], false)).toEqual({ results: true, errors: true });
    expect(decideStructuredUse(null, ['my-inspector-agent'], false)).toEqual({ results: true, errors: true });
  });

  it('is on by default, and off for hosts that would show page text twice or lose it', () => {
    expect(decideStructuredUse(null, [null, undefined], false).results).toBe(true);
    expect(decideStructuredUse(null, ['node', 'my-agent'], false).results).toBe(true);
    for (const host of [
      'claude-code/2.1.204 (cli)',
      'Visual Studio Code',
      'VSCode/1.130.0 (darwin arm64)',
      'Cursor/3.1.0',
      'cursor-vscode',
      'openai-mcp/1.0.0',
      'hermes-agent/0.4',
      'github-copilot-developer',
      'copilot/1.0.56 (linux v24.3.0)',
      'copilot-intellij',
      'codex-mcp-client/0.157.0',
      'opencode',
      'openclaw-bundle-mcp',
    ]) {
      expect(decideStructuredUse(null, [host], false).results).toBe(false);
      expect(decideStructuredUse(null, ['node', host], false).results).toBe(false);
    }
    expect(decideStructuredUse(null, ['precursor/1.0'], false).results).toBe(true);
    expect(decideStructuredUse(null, ['copilots-agent'], false).results).toBe(true);
  });
});
