import { ObjectOfParts } from '#core/object-of-parts.ts';
import { HostPace } from './host-pace.ts';
import { PageLease } from './page-lease.ts';
import { SearchLimiter } from './search-limiter.ts';

/**
 * One for each thing that the isolates of a deployment ask one after the other: the key of a search service, a host whose
 * pages are followed, or a page being fetched. Each uses one part; a lease of a page touches no storage.
 */
export class Pace extends ObjectOfParts {
  #search: SearchLimiter | null = null;
  #host: HostPace | null = null;
  readonly page = new PageLease();

  get search(): SearchLimiter {
    return (this.#search ??= new SearchLimiter(this.ctx.storage.kv));
  }

  get host(): HostPace {
    return (this.#host ??= new HostPace(this.ctx.storage.kv));
  }
}
