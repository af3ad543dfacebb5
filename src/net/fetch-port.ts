export type FetchInit = { headers: Record<string, string>; redirect: 'manual'; signal: AbortSignal };

export type Fetch = (url: string, init: FetchInit) => Promise<Response>;
