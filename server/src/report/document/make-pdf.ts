import { unavailable } from "../../errors.ts";
import { createThread, ThreadEnded } from "../../thread.ts";
import type { ReportDocument } from "./document.ts";

/** A thousand rows take a second, which nobody else may wait for. */
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
let waiting = 0;

/** A report as a PDF, made in a thread of its own. Throws 503 where too many wait, or where it ended before it was done. */
export async function makePdf(document: ReportDocument): Promise<Uint8Array> {
  if (waiting >= MAX_WAITING) throw unavailable(RETRY_SECONDS);
  waiting += 1;
  try {
    return (await thread.ask(document)) as Uint8Array;
  } catch (error) {
    if (error instanceof ThreadEnded) throw unavailable(RETRY_SECONDS);
    throw error;
  } finally {
    waiting -= 1;
  }
}
