/** What a request of these pages comes with. */
export type Site = { Bindings: { ctx: ExecutionContext } };

/** A token for the forms of a page, the cookie it is bound to, and whether a posted one is of this browser. */
export type PageForms = {
  start: (request: Request) => Promise<{ token: string; setCookie: string }>;
  isOurs: (request: Request, token: string) => Promise<boolean>;
};
