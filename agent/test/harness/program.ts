import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { onTestFinished } from "vitest";
import type { AgentReports } from "../../../server/src/monitors/schemas/agent-report.ts";
import configuration from "../../rolldown.config.ts";

const AGENT = join(import.meta.dirname, "../..");

export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "vedette-agent-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Builds the one file, alone in a folder; answers where it is. */
export async function buildProgram(): Promise<string> {
  const file = join(mkdtempSync(join(tmpdir(), "vedette-agent-built-")), "vedette-agent.mjs");
  const { output, ...input } = configuration;
  const bundle = await rolldown({ ...input, cwd: AGENT });
  await bundle.write({ ...(Array.isArray(output) ? output[0] : output), file });
  await bundle.close();
  return file;
}

export interface Program {
  child: ChildProcess;
  /** What it has said so far. */
  readonly output: string;
  readonly errors: string;
  /** Resolves when it has ended, to its exit code. */
  ended: Promise<number | null>;
}

/** Starts it; it is killed when the test ends. */
export function startProgram(
  file: string,
  args: readonly string[],
  { node = process.execPath, env = {} }: { node?: string; env?: Record<string, string> } = {},
): Program {
  const child = spawn(node, [file, ...args], { env: { PATH: process.env["PATH"] ?? "", ...env } });
  const said = { output: "", errors: "" };
  child.stdout.on("data", (text: Buffer) => (said.output += text));
  child.stderr.on("data", (text: Buffer) => (said.errors += text));
  onTestFinished(() => void child.kill("SIGKILL"));
  return {
    child,
    ended: once(child, "close").then(([code]) => code as number | null),
    get output() {
      return said.output;
    },
    get errors() {
      return said.errors;
    },
  };
}

/** What a server of a test has been sent. */
export interface AgentRequest {
  path: string;
  token: string;
  body: AgentReports & { instance: string; hostname: string };
}
type Answer = { status: number; data?: object; message?: string };

/** A server with the given answers. `nextRequest`: resolves to the next request. */
export async function startServer(answer: (request: AgentRequest) => Answer) {
  const requests: AgentRequest[] = [];
  const waiting: ((one: AgentRequest) => void)[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(gunzipSync(Buffer.concat(chunks)).toString()) as AgentRequest["body"];
    const token = (request.headers.authorization ?? "").replace("Bearer ", "");
    const one = { path: request.url ?? "", token, body };
    requests.push(one);
    const { status, ...more } = answer(one);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ success: status < 300, message: "OK", ...more }));
    for (const notify of waiting.splice(0)) notify(one);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const nextRequest = () => new Promise<AgentRequest>((resolve) => waiting.push(resolve));
  return { url: `http://127.0.0.1:${port}`, requests, nextRequest };
}
