/** Stands for the address of a page that has none. It leads nowhere (RFC 2606 §2), and callers never see it. */
export const NO_ADDRESS = 'https://html.invalid/';
