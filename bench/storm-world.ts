/**
 * What the storm bench's server meets, in a process of its own: targets, the name server that knows them, the reference
 * target of the probe's egress guard, and the receivers of channels, which write down when a message came. Messages:
 * WorldReady out; a StormKind in, which begins at once; "report" in, Arrivals out.
 */
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { startDnsTarget } from "../server/test/harness/dns-target.ts";
import { startMailServer } from "../server/test/harness/smtp.ts";
import { startBeside } from "./process.ts";
import { type Arrivals, hostOf, type StormKind, type WorldReady } from "./storm-orders.ts";

const BACKLOG = 4_096;
const answer = (status: string) => `HTTP/1.1 ${status}\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok`;

let storm: StormKind | null = null;
const arrivals: Arrivals = {};
const note = (path: string) => (arrivals[path] ??= []).push(Date.now());

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

const reference = await startBeside<number>("storm-reference.ts");
const targets = httpServer(() => answer(storm === "targets" ? "503 Service Unavailable" : "200 OK"));
const channels = httpServer((path) => {
  note(path);
  return answer("200 OK");
});

const names = await startDnsTarget();
const mail = await startMailServer();
const monitors = Number(process.argv[2]);
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

process.on("message", follow);
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

function follow(order: StormKind | "report"): void {
  if (order === "report") return void process.send?.(arrivals);
  storm = order;
  setNames(storm !== "targets");
  if (storm === "line") silenceReference();
}

function silenceReference(): void {
  reference.child.kill("SIGSTOP");
  for (let count = 0; count < FILLING; count += 1) {
    connect(reference.ready, "127.0.0.1").on("error", () => {});
  }
}
