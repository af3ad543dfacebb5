/** Stands for the address of a page that has none. It leads nowhere (RFC 2606 §2), and no caller is ever shown it. */
export const NO_ADDRESS = 'https://html.invalid/';
