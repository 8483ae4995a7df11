import { PublicError, unavailable } from "../../platform/errors.ts";
import { msg } from "../../platform/i18n/message.ts";
import { createThread, ThreadEnded } from "../../platform/worker-pool.ts";
import type { ReportDocument } from "./document.ts";

/** A thousand rows take a second, during which other requests must not wait. */
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
/** Per organization, so that others get their turn. */
const MAX_WAITING_OF_ONE = 2;
/** Ids of organizations. */
const waiting: number[] = [];

/**
 * In a worker thread. Throws 429 for too many of the organization, 503 for too many in all, or where the
 * thread ended early.
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
