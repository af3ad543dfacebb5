import * as z from 'zod';
import type { CloudflareApi } from './cloudflare-api.ts';
import { ApiError } from './cloudflare-api.ts';

/** The balance that pays for Cloudflare's Web Search API. */
const balanceSchema = z.object({ balance: z.number() });

const HOW_TO_ADD =
  'Open AI > AI Gateway in the Cloudflare dashboard, press Manage at "Credits Available", and top up; then run npm run deploy again';

/**
 * True if the account can pay for web searches, which then need no key. Without credits the binding is left out, so
 * that models get no web search that fails.
 */
export async function webSearchOf(
  account: { id: string },
  api: CloudflareApi,
): Promise<{ isBound: boolean; says: string }> {
  const credits = await creditsOf(account, api);
  if (credits === null) {
    return {
      isBound: true,
      says: "Cloudflare's Web Search API is bound. Whether the account has AI Gateway credits for it could not be seen with this sign-in (an API token needs AI Gateway: Read): press the button at the end of the health check to try it",
    };
  }
  if (credits > 0) {
    return { isBound: true, says: "Cloudflare's Web Search API is bound: the account has AI Gateway credits" };
  }
  return {
    isBound: false,
    says: `no web search of Cloudflare: the account has no AI Gateway credits. ${HOW_TO_ADD}. A key of another provider works, too (docs/search.md)`,
  };
}

/** `null` if the API does not say. */
async function creditsOf({ id }: { id: string }, api: CloudflareApi): Promise<number | null> {
  try {
    const { success, data } = balanceSchema.safeParse(
      await api.get(`/accounts/${id}/ai-gateway/billing/credit-balance`),
    );
    return success ? data.balance : null;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
