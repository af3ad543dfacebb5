import type { CallToolResult } from '@modelcontextprotocol/server';
import { describeFailure } from '#core/failures/describe-failure.ts';
import type { Failure } from '#core/failures/failure.ts';
import { RESULT_TEXT_BYTES_MAX } from '#core/limits.ts';
import { cutToBytes, utf8Bytes } from '#core/text/text.ts';
import type { ToolAnswer } from '#tools/define-tool.ts';
import { cacheUri } from '#mcp/resource-uris.ts';

/** Builds the protocol result of a tool's answer, within the size limit. */
export function successResult(
  answer: ToolAnswer<Record<string, unknown> | null>,
  structured: boolean,
  resourceLinks: boolean,
): CallToolResult {
  const links = resourceLinks ? (answer.resources ?? []) : [];
  return {
    content: [
      ...(answer.image === undefined
        ? []
        : [{ type: 'image' as const, data: answer.image.base64, mimeType: answer.image.mimeType }]),
      { type: 'text', text: withinBudget(answer.text) },
      ...links.map(({ snapshot, url }) => ({
        type: 'resource_link' as const,
        uri: cacheUri(snapshot),
        name: url,
        mimeType: 'text/markdown',
      })),
    ],
    ...(structured && answer.structured !== null ? { structuredContent: answer.structured } : {}),
  };
}

/** Builds the protocol result of a failure. The text has every field, because most hosts show nothing else. */
export function errorResult(failure: Failure, structured: boolean): CallToolResult {
  const { error, message, hint, extra } = describeFailure(failure);
  const fields = Object.entries(extra).map(([name, value]) => fieldText(name, String(value)));
  return {
    isError: true,
    content: [
      { type: 'text', text: withinBudget([`Error ${error}: ${message}`, `Hint: ${hint}`, ...fields].join('\n')) },
    ],
    ...(structured ? { structuredContent: { error, message, hint, ...extra } } : {}),
  };
}

/** Puts a value of several lines, such as a page excerpt, below its name. */
function fieldText(name: string, value: string): string {
  return value.includes('\n') ? `${name}:\n${value}` : `${name}: ${value}`;
}

const CUT_NOTE = '\n[cut here: the result was too large]';

function withinBudget(text: string): string {
  if (utf8Bytes(text) <= RESULT_TEXT_BYTES_MAX) return text;
  const kept = cutToBytes(text, RESULT_TEXT_BYTES_MAX - CUT_NOTE.length);
  return kept.slice(0, Math.max(kept.lastIndexOf('\n'), 0)) + CUT_NOTE;
}
