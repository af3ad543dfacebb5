import * as z from 'zod';
import { fromBase64 } from '#core/text/base64.ts';
import { isJsonObject, parseJson } from '#core/text/json.ts';

/**
 * The price that a site asks for a page. It consists of validated parts, so it cannot contain other words of the site.
 */
type Price = { scheme: 'crawler-price' | 'x402' | null; price: string | null };

/** Matches a price such as `USD 0.01` in the header of Cloudflare's pay per crawl. */
const CRAWLER_PRICE = /^([A-Za-z]{3}) (\d{1,9}(?:\.\d{1,9})?)$/;

/**
 * A payment option of x402. Version 1 is in the body, version 2 in a header. Amounts are in the smallest unit of the
 * asset.
 */
const accepted = z.object({
  network: z.string().regex(/^[\w:.-]{1,60}$/),
  asset: z.string().regex(/^[\w:.-]{1,80}$/),
  maxAmountRequired: z
    .string()
    .regex(/^\d{1,40}$/)
    .optional(),
  amount: z
    .string()
    .regex(/^\d{1,40}$/)
    .optional(),
});

/** Reads the price from a 402 (Payment Required) response. The server never pays. */
export function readPrice(headers: Pick<Headers, 'get'>, body: string): Price {
  const [, currency, amount] = CRAWLER_PRICE.exec(headers.get('crawler-price')?.trim() ?? '') ?? [];
  if (currency !== undefined) return { scheme: 'crawler-price', price: `${amount} ${currency.toUpperCase()}` };
  const header = headers.get('payment-required');
  return x402Price(header === null ? body : textOfBase64(header)) ?? { scheme: null, price: null };
}

function x402Price(text: string): Price | null {
  const told = parseJson(text);
  if (!isJsonObject(told) || typeof told['x402Version'] !== 'number') return null;
  const ways: unknown[] = Array.isArray(told['accepts']) ? told['accepts'].slice(0, WAYS_READ_MAX) : [];
  for (const way of ways) {
    const { success, data } = accepted.safeParse(way);
    const amount = success ? (data.amount ?? data.maxAmountRequired) : undefined;
    if (success && amount !== undefined) {
      return { scheme: 'x402', price: `${amount} of the smallest unit of ${data.asset} on ${data.network}` };
    }
  }
  return { scheme: 'x402', price: null };
}

const WAYS_READ_MAX = 10;

function textOfBase64(text: string): string {
  try {
    return new TextDecoder().decode(fromBase64(text));
  } catch {
    return '';
  }
}
