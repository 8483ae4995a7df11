import { respond } from "../harness/behaviours.ts";
import { startHttpTarget } from "../harness/targets.ts";

/** A message as it came in, whether or not it could still be answered. */
export interface WebhookRequest {
  /** The channel's own path. */
  path: string;
  /** `webhook-id`: the idempotency key. */
  key: string;
  event: string;
  monitorId: number;
}

export interface Receiver {
  url: string;
  /** In the order in which they came. */
  requests: WebhookRequest[];
  close(): Promise<void>;
}

/** The path whose receiver refuses the beginning of an outage for good. */
export const REFUSING = "refusing";
const SLOWEST_MS = 300;

/** What webhooks lead to: takes its time to answer, so that a kill may come before the answer or before its record. */
export async function startReceiver(random: () => number): Promise<Receiver> {
  const requests: WebhookRequest[] = [];
  const target = await startHttpTarget({
    handler(socket, request) {
      const { type, monitor } = JSON.parse(request.body) as { type: string; monitor: { id: number } };
      const path = request.path.slice(1);
      const key = request.headers["webhook-id"] ?? "";
      requests.push({ path, key, event: type, monitorId: monitor.id });
      const isRefused = path === REFUSING && type === "monitor.down";
      setTimeout(() => respond({ status: isRefused ? 400 : 200 })(socket, request), random() * SLOWEST_MS);
    },
  });
  return { url: target.url, requests, close: target.close };
}
