import * as z from 'zod';
import { ApiError } from './cloudflare-api.ts';
import type { CloudflareApi } from './cloudflare-api.ts';

const bookmarkSchema = z.object({ bookmark: z.string() });

/** Names the state of the database before the migrations, to which D1 can return for 30 days. */
export async function wayBack(
  { id }: { id: string },
  api: CloudflareApi,
  { database, isNewDatabase }: { database: string; isNewDatabase: boolean },
): Promise<string> {
  if (isNewDatabase) return 'The database is new, so there is nothing to go back to.';
  try {
    const answer = await api.get(`/accounts/${id}/d1/database/${database}/time_travel/bookmark`);
    const { bookmark } = bookmarkSchema.parse(answer);
    return `The database before this deploy, for 30 days: ${bookmark} (docs/operations.md says when to go back to it)`;
  } catch (error) {
    if (error instanceof ApiError || error instanceof z.ZodError) {
      return 'D1 named no bookmark. Its history is still kept for 30 days: note the time before you go on.';
    }
    throw error;
  }
}
