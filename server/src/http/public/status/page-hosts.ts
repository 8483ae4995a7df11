import { ownHostOf } from "../../../config-values.ts";
import type { Context } from "../../../context.ts";
import { ownHosts } from "../../../page/domain/own-hosts.ts";
import { withPatience } from "../../../patience.ts";

/** So long nobody asks the store which hosts there are. */
const FRESH_MS = 15_000;
/** Nobody waits longer for the store. */
const PATIENCE_MS = 1_000;
/** A host name of 253 characters, its last dot, and a port. */
const MAX_LENGTH = 260;

/** Which hosts belong to a status page, and to which. */
export interface PageHosts {
  /**
   * The slug of the page whose host this is (as the Host header has it); null: it is the installation's, or nobody's. Who
   * may not wait gets what was last known.
   */
  find(header: string | undefined, mayWait: boolean): string | null | Promise<string | null>;
  /** What is set of a page has changed, which may be its host or its slug. */
  renew(): void;
}

/**
 * All of them are kept, and read anew once in a while: whichever hosts are asked for, in whatever number, the store is asked
 * no more often. While it is away, what was last known holds; nobody waits for it again until it has answered.
 */
export function pageHosts(ctx: Pick<Context, "store" | "clock" | "log" | "config">): PageHosts {
  const installation = ownHostOf(ctx.config.publicUrl);
  let slugs: ReadonlyMap<string, string> | null = null;
  let freshUntil = Number.NEGATIVE_INFINITY;
  let isAway = false;
  /** What those who ask wait for, while the store is asked. */
  let reading: Promise<unknown> | null = null;
  let changes = 0;
  const readOnce = async () => {
    try {
      slugs = await ownHosts(ctx.store.db);
      isAway = false;
    } catch (error) {
      isAway = true;
      ctx.log.warn({ err: error }, "the hosts of status pages could not be read");
    }
  };
  const read = async () => {
    let before: number;
    do {
      before = changes;
      await readOnce();
      // What was being read when something changed may be what was there before.
    } while (before !== changes && !isAway);
    freshUntil = ctx.clock.now() + FRESH_MS;
    reading = null;
  };
  const startReading = () => {
    reading ??= withPatience(read(), PATIENCE_MS, () => {
      isAway = true;
    });
  };
  return {
    find(header = "", mayWait) {
      if (ctx.clock.now() >= freshUntil) startReading();
      else if (slugs?.size === 0) return null;
      const host = hostOf(header);
      const slug = slugs?.get(host) ?? null;
      // Who is known need not wait; nor need anybody for names that no page can have.
      if (reading === null || isAway || slug !== null || !mayWait) return slug;
      if (host === installation || !host.includes(".") || /^[\d.]+$/.test(host)) return slug;
      return reading.then(() => slugs?.get(host) ?? null);
    },
    renew() {
      changes += 1;
      freshUntil = Number.NEGATIVE_INFINITY;
      startReading();
    },
  };
}

/** A Host header's name as the store has it; empty for what is none. */
const hostOf = (header: string): string => {
  if (header.length > MAX_LENGTH) return "";
  const [, name = ""] = /^([a-z0-9.-]+?)\.?(?::\d*)?$/i.exec(header) ?? [];
  return name.toLowerCase();
};
