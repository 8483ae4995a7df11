import { spawn, spawnSync } from "node:child_process";
import { Agent } from "node:http";
import { answering, fetchText, freePort } from "./exporter.ts";

const PROGRAM = "prometheus-node-exporter";

/** A node_exporter of the bench's own, on loopback. */
export interface NodeExporter {
  pid: number;
  /** Reads all its metrics, as Prometheus would. */
  scrape(): Promise<unknown>;
  stop(): void;
}

/** Starts it with the collectors that it has by itself; null where it is not installed. */
export async function startNodeExporter(): Promise<NodeExporter | null> {
  if (spawnSync(PROGRAM, ["--version"]).status !== 0) return null;
  const port = await freePort();
  const child = spawn(PROGRAM, [`--web.listen-address=127.0.0.1:${port}`, "--log.level=error"], {
    stdio: "ignore",
  });
  const agent = new Agent({ keepAlive: true });
  const stop = () => {
    agent.destroy();
    child.kill("SIGKILL");
  };
  process.once("exit", stop);
  await answering({ port, path: "/", agent });
  return { pid: child.pid as number, scrape: () => fetchText({ port, path: "/metrics", agent }), stop };
}
