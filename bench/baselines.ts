import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import { cpuSeconds } from "./harness.ts";

const BUFFER_BYTES = 4096;

/**
 * The least that any check could do: connect, write a request, read to the end, close. With a
 * context over TLS with a full handshake, and the certificate looked at. `buffer` is where the answer goes.
 */
export function bareCheck(
  port: number,
  secureContext?: tls.SecureContext,
  buffer = Buffer.allocUnsafe(BUFFER_BYTES),
  path = "/",
): Promise<void> {
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`;
  const onread = { buffer, callback: () => true };
  return new Promise((resolve, reject) => {
    let socket: Socket;
    if (secureContext) {
      const options = { host: "127.0.0.1", port, secureContext, servername: "localhost", onread };
      const secure = tls.connect({ ...options, checkServerIdentity: () => undefined }, () => {
        if (secure.getPeerX509Certificate()?.fingerprint256 === undefined)
          reject(new Error("no certificate"));
        secure.write(request);
      });
      // Left alone, Node parses the whole chain for checkServerIdentity: 0.2 ms that are not needed.
      secure.getPeerCertificate = () => ({}) as tls.DetailedPeerCertificate;
      socket = secure;
    } else {
      socket = connect({ host: "127.0.0.1", port, onread }, () => socket.write(request));
    }
    socket.on("close", () => resolve());
    socket.on("error", reject);
  });
}

/** An address of an exporter on loopback. */
interface Address {
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

const PROGRAM = "prometheus-blackbox-exporter";
const MODULE = "http_2xx";

/** A blackbox_exporter of the bench's own, on loopback. */
export interface Blackbox {
  /** One probe, requested as Prometheus would; of HTTP, or by another module. Throws unless it succeeded. */
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
