// Made by scripts/pictures.ts: npm run pictures.

/** Of the landing page: WebP in base64, 880 × 560 pixels. */
export const PICTURES: readonly (readonly [name: string, base64: string])[] = [
];
