import type { Bucket, Turn } from '#client/pace.ts';
import type { ConsentMemory, Identity } from '#client/sign-in-state.ts';

/** What sign-in needs of the Durable Object behind it. */
export type SignInPort = {
  identity: () => Promise<Identity>;
  takeTurn: (buckets: Bucket[]) => Promise<Turn>;
  giveBack: (buckets: Bucket[]) => Promise<void>;
  noteClient: (id: string) => Promise<string[]>;
  keepUpstream: (key: string, record: string, forMs: number) => Promise<void>;
  takeUpstream: (key: string) => Promise<string | null>;
  consent: (key: string) => Promise<ConsentMemory | null>;
  rememberConsent: (key: string, memory: ConsentMemory) => Promise<void>;
};

/** It never changes, so an isolate asks for it once. */
let known: Identity | undefined;

export async function deploymentIdentity(signIn: SignInPort): Promise<Identity> {
  known ??= await signIn.identity();
  return known;
}
