import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import type { AgentReports } from "../server/src/wire/agent/report.ts";

/** A server that takes every report and asks for the usual intervals. */
export interface Sink {
  url: string;
  /** How many it has taken. */
  readonly reports: number;
  stop(): void;
}

const INTERVALS = { metrics: 10, processes: 60, connections: 60, applications: 6 * 3600 };

export async function startSink(): Promise<Sink> {
  let reports = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent = JSON.parse(gunzipSync(Buffer.concat(chunks)).toString()) as AgentReports;
    reports += sent.reports.length;
    const acknowledged = sent.reports.at(-1)?.sequence;
    const data = { acknowledged, serverTime: Date.now(), intervals: INTERVALS };
    response.setHeader("content-type", "application/json").end(JSON.stringify({ success: true, data }));
  });
  // As Vedette's server has it: a connection outlasts some reports.
  server.keepAliveTimeout = 72_000;
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get reports() {
      return reports;
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
