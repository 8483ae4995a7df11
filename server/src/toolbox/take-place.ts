import type { Context } from "../context.ts";
import { PublicError } from "../errors.ts";
import { releaseLease, renewLease, takeLease } from "../store/queries/meta.ts";
import { fact } from "../texts/fact.ts";

/** A server that dies gives its places back after this long. */
const LEASE_MS = 60_000;
const RENEWED_MS = 20_000;
const RETRY_SECONDS = 10;

interface Places {
  tool: string;
  organizationId: number;
  /** How many there are, whatever the number of servers. */
  limit: number;
}

/** Works in one of an organization's places for a tool, and gives it back. Throws 429 when all are taken. */
export async function inPlace<T>(
  { store: { db }, clock, log }: Pick<Context, "store" | "clock" | "log">,
  { tool, organizationId, limit }: Places,
  work: () => Promise<T>,
): Promise<T> {
  const place = await takePlace();
  let renewing: Promise<void> = Promise.resolve();
  const renew = async () => {
    const until = clock.now() + LEASE_MS;
    if (await renewLease(db, place.key, place.until, until)) place.until = until;
  };
  const timer = setInterval(() => {
    renewing = renewing
      .then(renew)
      .catch((err) => log.warn({ err }, "The place of a tool could not be renewed"));
  }, RENEWED_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    // A renewal that is under way must not come after this.
    await renewing;
    await releaseLease(db, place.key, place.until);
  }

  async function takePlace(): Promise<{ key: string; until: number }> {
    for (let place = 1; place <= limit; place += 1) {
      const candidate = `tool:${tool}:${organizationId}:${place}`;
      const now = clock.now();
      const until = now + LEASE_MS;
      if (await takeLease(db, candidate, now, until)) return { key: candidate, until };
    }
    throw new PublicError("rate_limited", fact("tool.at_once", { limit }), {
      retryAfterSeconds: RETRY_SECONDS,
    });
  }
}
