import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answering, fetchText, freePort } from "./exporter.ts";
import { cpuSeconds } from "./process.ts";

const PROGRAM = "prometheus-blackbox-exporter";
const MODULE = "http_2xx";

/** A blackbox_exporter of the bench's own, on loopback. */
export interface Blackbox {
  /** One probe, asked for as Prometheus would; of HTTP, or by another module. Throws unless it succeeded. */
  probe(target: string, module?: string): Promise<void>;
  /** What its process has used. */
  cpuSeconds(): number;
  stop(): void;
}

/** Starts it with the CA (PEM) to trust; null where it is not installed. */
export async function startBlackbox(ca: string | null): Promise<Blackbox | null> {
  if (spawnSync(PROGRAM, ["--version"]).status !== 0) return null;
  const folder = mkdtempSync(join(tmpdir(), "vedette-bench-"));
  const config = join(folder, "blackbox.yml");
  writeFileSync(join(folder, "ca.pem"), ca ?? "");
  const tls = ca ? `, tls_config: {ca_file: ${join(folder, "ca.pem")}}` : "";
  const modules = [
    `${MODULE}: {prober: http, timeout: 10s, http: {preferred_ip_protocol: ip4${tls}}}`,
    "tcp: {prober: tcp, timeout: 10s, tcp: {preferred_ip_protocol: ip4, query_response: [{expect: ready}]}}",
    `tls: {prober: tcp, timeout: 10s, tcp: {preferred_ip_protocol: ip4, tls: true${tls}}}`,
    "dns: {prober: dns, timeout: 10s, dns: {preferred_ip_protocol: ip4, query_name: here.test, query_type: A}}",
  ];
  writeFileSync(config, `modules: {${modules.join(", ")}}\n`);
  const port = await freePort();
  const args = [`--config.file=${config}`, `--web.listen-address=127.0.0.1:${port}`, "--log.level=error"];
  const child = spawn(PROGRAM, args, { stdio: "ignore" });
  const agent = new Agent({ keepAlive: true });
  const stop = () => {
    agent.destroy();
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", stop);
  await answering({ port, path: "/-/healthy", agent });
  return {
    probe: (target, module = MODULE) => probe(port, agent, target, module),
    cpuSeconds: () => cpuSeconds(child.pid as number),
    stop,
  };
}

async function probe(port: number, agent: Agent, target: string, module: string): Promise<void> {
  const path = `/probe?module=${module}&target=${encodeURIComponent(target)}`;
  const text = await fetchText({ port, path, agent });
  if (!/^probe_success 1$/m.test(text)) throw new Error(`blackbox_exporter's probe (${module}) failed.`);
}
