import { PassThrough } from "node:stream";
import { newTrace } from "../../src/checks/check.ts";
import { newConnection } from "../../src/checks/dial.ts";
import { startDialogue, type TimedDialogue } from "../../src/checks/dialogue.ts";

/** A dialogue without a network: what is written to the stream is what the server says. */
export function startTestDialogue(): { dialogue: TimedDialogue; stream: PassThrough } {
  const stream = new PassThrough({ highWaterMark: 1 << 20 });
  const fault = (error: unknown) => {
    throw error;
  };
  const network = {
    resolver: { resolve: () => Promise.reject(new Error("no lookup expected")) },
    policy: "all" as const,
  };
  const connection = newConnection({
    host: "127.0.0.1",
    literal: true,
    port: 25,
    network,
    resolveSinceMs: undefined,
    ignoreCertificate: false,
    serverName: null,
    legacyRenegotiation: false,
    trace: newTrace(),
    fault,
  });
  connection.where = "127.0.0.1:25";
  return { dialogue: startDialogue(connection, stream), stream };
}
