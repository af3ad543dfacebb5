import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { converse, emptyConversation } from './converse.ts';
import type { Conversation, Endpoint } from './converse.ts';
import type { Reader } from './readers.ts';

/** Lets a model answer a prompt with the tools of a reader, and stores the conversation in `FOLDER/NAME.json`. */
export async function traced(
  endpoint: Endpoint,
  reader: Reader | null,
  prompt: string,
  folder: string,
  name: string,
): Promise<Conversation> {
  const told = reader === null ? { instructions: '', tools: [] } : await reader.told();
  const call: Reader['call'] =
    reader?.call ?? (async () => ({ text: 'There are no tools.', pictures: [], ms: 0, isError: true }));
  const conversation = emptyConversation();
  try {
    await converse(endpoint, { ...told, prompt, call }, conversation);
  } catch (error) {
    conversation.problem = error instanceof Error ? error.message : String(error);
  }
  mkdirSync(folder, { recursive: true });
  const trace = { model: endpoint.model, host: new URL(endpoint.url).host, ...told, ...conversation };
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(trace, null, 1)}\n`);
  return conversation;
}
