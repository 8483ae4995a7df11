import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { gzipSync } from "node:zlib";
import { plainHttp, tlsHttp } from "../node-http.ts";

const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 256 * 1024;

/** What the server said. */
export interface Answer {
  status: number;
  /** Its JSON; null where it is none. */
  body: { message?: string; errors?: Record<string, string[]>; data?: unknown } | null;
  /** How long it requests to be left alone. */
  retryAfterMs: number | null;
}

/** Sends JSON to a path below the server's address. Throws where there is no answer. */
export type Post = (path: string, token: string, body: object) => Promise<Answer>;

/** Keeps one connection open, so that a report costs neither a handshake nor a name look-up. */
export function connectTo(server: URL, ca: string | null): Post {
  const isTls = server.protocol === "https:";
  const settings = { keepAlive: true, maxSockets: 1, timeout: TIMEOUT_MS };
  const { Agent, request } = isTls ? tlsHttp() : plainHttp();
  const agent = new Agent({ ...settings, ...(ca !== null && { ca: readFileSync(ca) }) });
  return async (path, token, body) => {
    // Here and now: waking a thread costs more than most reports.
    const bytes = gzipSync(JSON.stringify(body));
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "content-encoding": "gzip",
      "content-length": bytes.length,
      accept: "application/json",
    };
    return new Promise<Answer>((resolve, reject) => {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const sent = request(new URL(path, server), { method: "POST", agent, headers, signal }, (answer) => {
        readAnswer(answer).then(resolve, reject);
      });
      sent.on("error", reject);
      sent.end(bytes);
    });
  };
}

async function readAnswer(answer: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new Error("The answer is too long to be a Vedette server's");
    chunks.push(chunk);
  }
  const seconds = Number(answer.headers["retry-after"]);
  return {
    status: answer.statusCode ?? 0,
    body: parsed(Buffer.concat(chunks).toString()),
    retryAfterMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null,
  };
}

function parsed(text: string): Answer["body"] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? (value as Answer["body"]) : null;
  } catch {
    return null;
  }
}

/** What the server said in words, with the fields it means. */
export function saidBy({ status, body }: Answer): string {
  const fields = Object.entries(body?.errors ?? {}).map(([name, [first]]) => `${name}: ${first ?? ""}`);
  return [body?.message ?? `status ${status}`, ...fields.slice(0, 3)].join("; ");
}
