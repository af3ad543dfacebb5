import { ObjectOfParts } from '#core/object-of-parts.ts';
import { HostPace } from './host-pace.ts';
import { PageLease } from './page-lease.ts';
import { SearchLimiter } from './search-limiter.ts';

/**
 * State of one resource that all isolates share: a search API key, a host whose pages are followed, or a page being
 * fetched. Each object uses one of its parts; a page lease writes nothing to storage.
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
