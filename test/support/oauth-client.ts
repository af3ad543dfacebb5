import type { OAuthClientProvider as ProviderV2 } from '@modelcontextprotocol/client';
import type { OAuthClientProvider as ProviderV1 } from '@modelcontextprotocol/sdk/client/auth.js';

/**
 * Everything the official clients need from a host that signs in: storage, and a way to open a page for the user. Both
 * SDK generations use it, under different type names.
 */
export class HostMemory {
  /** The last address that the user was sent to. */
  sentTo: URL | undefined;
  tokensKept: { access_token: string; refresh_token?: string } | undefined;
  registrations = 0;
  #client: unknown;
  #verifier = '';
  #discovered: unknown;
  #state = '';

  /** @param given tokens and client of an existing connection */
  constructor(given?: { tokens: { access_token: string; refresh_token?: string }; client: { client_id: string } }) {
    this.tokensKept = given?.tokens;
    this.#client = given?.client;
  }

  /** Replaces the access token by one that the server does not know, as if it had expired. */
  expireAccess(): void {
    if (this.tokensKept === undefined) return;
    const { access_token: token } = this.tokensKept;
    this.tokensKept = { ...this.tokensKept, access_token: `${token.slice(0, -4)}XXXX` };
  }

  /** The OAuth provider object for the SDKs. */
  provider(redirectUrl: string): ProviderV1 & ProviderV2 {
    const memory = {
      redirectUrl,
      clientMetadata: {
        client_name: 'The official client',
        redirect_uris: [redirectUrl],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
      state: () => (this.#state = crypto.randomUUID()),
      clientInformation: () => this.#client,
      saveClientInformation: (client: unknown) => {
        this.registrations += 1;
        this.#client = client;
      },
      tokens: () => this.tokensKept,
      saveTokens: (tokens: { access_token: string }) => void (this.tokensKept = tokens),
      redirectToAuthorization: (url: URL) => void (this.sentTo = url),
      saveCodeVerifier: (verifier: string) => void (this.#verifier = verifier),
      codeVerifier: () => this.#verifier,
      saveDiscoveryState: (state: unknown) => void (this.#discovered = state),
      discoveryState: () => this.#discovered,
      invalidateCredentials: (scope: string) => {
        if (scope === 'tokens' || scope === 'all') this.tokensKept = undefined;
        if (scope === 'client' || scope === 'all') this.#client = undefined;
      },
    };
    return memory as unknown as ProviderV1 & ProviderV2;
  }

  /** True if an answer belongs to the last request. */
  isOurState(answer: URL): boolean {
    return answer.searchParams.get('state') === this.#state;
  }

  lastAsked(): URL {
    if (this.sentTo === undefined) throw new Error('the client sent nobody anywhere');
    return this.sentTo;
  }

  clientId(): string {
    return (this.#client as { client_id: string }).client_id;
  }
}
