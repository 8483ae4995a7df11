import { isIP } from "node:net";
import { bareHost, isLoopbackHost } from "../../../config-values.ts";
import type { Context } from "../../../context.ts";
import { slugOfHost } from "../../../page/slug-of-host.ts";

/** So long nobody asks the store about a host again. */
const FRESH_MS = 15_000;
const MAX_HOSTS = 1_000;

/** Which hosts belong to a status page, and to which. */
export interface PageHosts {
  /**
   * The slug of the page whose host this is (as the Host header has it); null: it is the installation's, or nobody's. Who
   * may not wait gets what was last known.
   */
  find(header: string | undefined, mayWait: boolean): string | null | Promise<string | null>;
}

interface Known {
  slug: string | null;
  until: number;
}

/** The installation's own hosts, which no page can have: of its public address, of this machine, and addresses without a name. */
export function pageHosts(ctx: Pick<Context, "store" | "clock" | "config" | "log">): PageHosts {
  const publicHost = ctx.config.publicUrl === null ? null : new URL(ctx.config.publicUrl).hostname;
  const known = new Map<string, Known>();
  const remember = (header: string, entry: Known) => {
    known.delete(header);
    if (known.size >= MAX_HOSTS) known.delete(known.keys().next().value as string);
    known.set(header, entry);
    return entry.slug;
  };
  const ask = async (header: string, host: string, before: string | null): Promise<string | null> => {
    const until = ctx.clock.now() + FRESH_MS;
    try {
      return remember(header, { slug: await slugOfHost(ctx.store.db, host), until });
    } catch (error) {
      ctx.log.warn({ err: error, host }, "a host could not be looked up");
      return remember(header, { slug: before, until });
    }
  };
  return {
    find(header = "", mayWait) {
      const entry = known.get(header);
      if (entry && ctx.clock.now() < entry.until) return entry.slug;
      const host = bareHost(URL.parse(`http://${header}`)?.hostname ?? "");
      if (host === "" || host === publicHost || isLoopbackHost(host) || isIP(host) !== 0) {
        return remember(header, { slug: null, until: Number.POSITIVE_INFINITY });
      }
      const before = entry?.slug ?? null;
      return mayWait ? ask(header, host, before) : before;
    },
  };
}
