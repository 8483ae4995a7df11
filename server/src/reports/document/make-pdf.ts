import { PublicError, unavailable } from "../../platform/errors.ts";
import { msg } from "../../platform/i18n/message.ts";
import { createThread, ThreadEnded } from "../../platform/worker-pool.ts";
import type { ReportDocument } from "./document.ts";

/** A thousand rows take a second, for which other requests may not wait. */
const thread = createThread<ReportDocument>({
  entry: new URL("pdf-thread.ts", import.meta.url),
  name: "vedette-pdf",
  workerData: null,
  limits: { maxOldGenerationSizeMb: 256 },
  idleMs: 30_000,
  stuckMs: 30_000,
});

const RETRY_SECONDS = 5;
const MAX_WAITING = 10;
/** Of one organization, so that others find room. */
const MAX_WAITING_OF_ONE = 2;
/** Whose wait. */
const waiting: number[] = [];

/**
 * A report of an organization as a PDF, made in a thread of its own. Throws 429 where too many of its own wait, 503 where too many
 * do at all, or where it ended before it was done.
 */
export async function makePdf(document: ReportDocument, organizationId: number): Promise<Uint8Array> {
  if (waiting.filter((one) => one === organizationId).length >= MAX_WAITING_OF_ONE) {
    const why = msg("tool.at_once", { limit: MAX_WAITING_OF_ONE });
    throw new PublicError("rate_limited", why, { retryAfterSeconds: RETRY_SECONDS });
  }
  if (waiting.length >= MAX_WAITING) throw unavailable(RETRY_SECONDS);
  waiting.push(organizationId);
  try {
    return (await thread.run(document)) as Uint8Array;
  } catch (error) {
    if (error instanceof ThreadEnded) throw unavailable(RETRY_SECONDS);
    throw error;
  } finally {
    waiting.splice(waiting.indexOf(organizationId), 1);
  }
}
