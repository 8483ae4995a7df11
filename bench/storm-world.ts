/**
 * What the storm bench's server meets, in a process of its own: targets, the name server that knows them, the reference
 * target of the probe's egress guard, and the receivers of channels, which write down when a message came. Messages:
 * WorldReady out; a StormKind in, which begins at once; "report" in, ReceivedAt out.
 */
import type { ChildProcess } from "node:child_process";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { startDnsTarget } from "../server/test/harness/dns-target.ts";
import { startMailServer } from "../server/test/harness/smtp.ts";
import { startBeside } from "./harness.ts";

/**
 * `line`: no way out at all, not even to the reference target. `network`: no way to any target, but to the reference target.
 * `targets`: each target answers 503.
 */
export type StormKind = "line" | "network" | "targets";

export interface WorldReady {
  targets: number;
  reference: number;
  channels: number;
  resolver: string;
  smtp: string;
}

/** When each receiver got something, milliseconds since 1970, by its path; mails under "mail". */
export type ReceivedAt = Record<string, number[]>;

/** The n-th target, from 1. */
export const hostOf = (n: number): string => `site-${n}.storm.test`;

const BACKLOG = 4_096;
const answer = (status: string) => `HTTP/1.1 ${status}\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok`;

let storm: StormKind | null = null;
const receivedAt: ReceivedAt = {};
const note = (path: string) => (receivedAt[path] ??= []).push(Date.now());

/** More connections than a stopped process can be given: those that come later are not answered at all. */
const FILLING = 8;

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", BACKLOG, resolve));
  return (server.address() as AddressInfo).port;
}

/** Calls back with the path of each request, and answers what that gives. */
const httpServer = (onRequest: (path: string) => string) =>
  createServer((socket: Socket) => {
    socket.on("error", () => {});
    socket.once("data", (bytes) => {
      const path = /^\w+ \/(\S*) /.exec(bytes.toString("latin1", 0, 200))?.[1] ?? "";
      socket.end(onRequest(path));
    });
  });

/** The reference target of the egress guard, which can be stopped: then there is no answer. */
function serveReference(): void {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.end();
  });
  const shortestBacklog = 1;
  server.listen(0, "127.0.0.1", shortestBacklog, () =>
    process.send?.((server.address() as AddressInfo).port),
  );
  process.on("disconnect", () => process.exit(0));
}

async function playWorld(monitors: number): Promise<void> {
  const reference = await startBeside<number>("storm-world.ts", ["reference"]);
  const targets = httpServer(() => answer(storm === "targets" ? "503 Service Unavailable" : "200 OK"));
  const channels = httpServer((path) => {
    note(path);
    return answer("200 OK");
  });
  const names = await startDnsTarget();
  const mail = await startMailServer();
  const setNames = (isSilent: boolean) => {
    for (let n = 1; n <= monitors; n += 1) {
      names.set(hostOf(n), { a: ["127.0.0.1"], ttlSeconds: 0, ...(isSilent && { behaviour: "silent" }) });
    }
  };
  setNames(false);
  let mails = 0;
  setInterval(() => {
    for (; mails < mail.mails.length; mails += 1) note("mail");
  }, 50).unref();
  process.on("message", (order: StormKind | "report") => {
    if (order === "report") return void process.send?.(receivedAt);
    storm = order;
    setNames(storm !== "targets");
    if (storm === "line") silence(reference.child, reference.ready);
  });
  process.on("disconnect", () => process.exit(0));
  process.on("exit", () => void reference.child.kill("SIGKILL"));
  const ready: WorldReady = {
    targets: await listen(targets),
    reference: reference.ready,
    channels: await listen(channels),
    resolver: names.server,
    smtp: mail.url,
  };
  process.send?.(ready);
}

function silence(child: ChildProcess, port: number): void {
  child.kill("SIGSTOP");
  for (let count = 0; count < FILLING; count += 1) connect(port, "127.0.0.1").on("error", () => {});
}

if (process.argv[2] === "reference") serveReference();
else if (process.argv[1] === import.meta.filename) await playWorld(Number(process.argv[2]));
