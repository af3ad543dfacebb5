export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

/** A script of ours that runs in a page's isolated world: `main` says what it takes and gives, `source` is sent. */
export type PageScript<A extends readonly Json[], R> = { main: (this: never, ...args: A) => R; source: string };

type Part = (this: never, ...args: never) => unknown;

/**
 * Makes one source of a function and of the functions of its file that it calls. They must use nothing else from
 * outside but what a browser has. The bundler names functions through a helper that pages do not have.
 */
export function pageScript<A extends readonly Json[], R>(
  main: (this: never, ...args: A) => R,
  parts: readonly Part[] = [],
): PageScript<A, R> {
  const declared = parts.map((part) => part.toString()).join('\n');
  return {
    main,
    source: `function(...args){const __name=(f)=>f;${declared}\nreturn (${main.toString()}).apply(this,args)}`,
  };
}
