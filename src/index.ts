import { PageRenderer } from '#browsing/rendering/renderer-object.ts';
import { BrowserSession } from '#browsing/session/session-object.ts';
import { Client } from '#client/client.ts';
import { Deployment } from '#client/deployment/deployment.ts';
import { Pace } from '#client/pace/pace.ts';
import { ObjectOfParts } from '#core/stored-object.ts';
import { StoredObject } from '#core/stored-object.ts';
import { PersonStore } from '#storage/person/person-store.ts';
import { hideErrorMessages } from '#telemetry/log.ts';
import { serve } from './app.ts';
import { FollowRound } from '#library/follow-round.ts';
import { createRoundPlatform } from './compose.ts';
import { runHourly } from './scheduled.ts';

class Follow extends FollowRound {
  protected override platform(origin: string) {
    return createRoundPlatform(this.env, this.ctx, origin);
  }
}

const CLASSES = [BrowserSession, Client, Deployment, ObjectOfParts, Pace, PageRenderer, PersonStore, StoredObject];
for (const object of CLASSES) hideErrorMessages(object);

export { BrowserSession, Client, Deployment, Follow, Pace, PageRenderer, PersonStore };

export default { fetch: serve, scheduled: runHourly } satisfies ExportedHandler<Env>;
