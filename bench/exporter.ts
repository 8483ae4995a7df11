import { type Agent, get } from "node:http";
import { createServer } from "node:net";

/** An address of an exporter on loopback. */
export interface Address {
  port: number;
  path: string;
  agent: Agent;
}

const START_LIMIT_MS = 10_000;

export function fetchText({ port, path, agent }: Address): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port, path, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve(Buffer.concat(chunks).toString()));
    }).on("error", reject);
  });
}

/** Resolves when it answers there; throws after ten seconds. */
export async function answering(address: Address): Promise<void> {
  const until = performance.now() + START_LIMIT_MS;
  for (;;) {
    try {
      await fetchText(address);
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
