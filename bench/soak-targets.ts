/**
 * The soak's targets, in a process of their own: site n is `/n` on any of the addresses it listens on, and
 * behaves as the script says. It logs every request by itself and gives the log out at the end.
 * Messages: "ready" out; TargetsOrder in, TargetsReady out; the beginning in; "report" in, ServedRequest tuples out.
 */
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { setTimeout as after } from "node:timers";
import { testCa } from "../server/test/harness/certificates.ts";
import { kindOf, listenAs } from "./soak-kinds.ts";
import { KEYWORD, type Mode, modeAt, type Phase, type ScriptOptions, writeScript } from "./soak-script.ts";

export interface TargetsOrder {
  script: ScriptOptions;
  /** Loopback addresses, all on one port. */
  addresses: string[];
  /** Whether some sites are of other kinds than HTTP (soak-kinds.ts). */
  isMixed: boolean;
}

/** Where they are: the port of the web pages, those of sites of other kinds, and the CA to trust (PEM). */
export interface TargetsReady {
  port: number;
  ports: Record<number, number>;
  ca: string;
}

/** Site, milliseconds since 1970, and how it was answered. */
export type ServedRequest = [site: number, at: number, mode: Mode];

const SLOW_MS = 300;
const BACKLOG = 4_096;
const BODY = `All is ${KEYWORD}.`;
const answer = (status: string, bytes = BODY.length, sent = BODY) =>
  `HTTP/1.1 ${status}\r\nContent-Length: ${bytes}\r\nConnection: close\r\n\r\n${sent}`;
const WELL = answer("200 OK");
const ILL = answer("503 Service Unavailable");
const ANNOUNCED_BYTES = 1_000;
const HALF = answer("200 OK", ANNOUNCED_BYTES, "A");
const STUCK = answer("200 OK", ANNOUNCED_BYTES);

let script: Phase[][] = [];
let beganAt = Number.POSITIVE_INFINITY;
const served: ServedRequest[] = [];

const answers: Record<Mode, (socket: Socket) => void> = {
  up: (socket) => socket.end(WELL),
  slow: (socket) => void after(() => socket.end(WELL), SLOW_MS),
  down: (socket) => socket.end(ILL),
  reset: (socket) => void socket.resetAndDestroy(),
  hang: () => {},
  half: (socket) => socket.end(HALF),
  stuck: (socket) => void socket.write(STUCK),
};

function serve(socket: Socket): void {
  socket.on("error", () => {});
  socket.once("data", (bytes) => {
    const site = Number(/^GET \/(\d+) /.exec(bytes.toString("latin1"))?.[1]);
    const phases = script[site];
    if (!phases) return socket.destroy();
    return answers[modeNow(site, phases)](socket);
  });
}

function modeNow(site: number, phases: readonly Phase[]): Mode {
  const at = Date.now();
  const mode = modeAt(phases, at - beganAt);
  served.push([site, at, mode]);
  return mode;
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host, backlog: BACKLOG }, () => resolve((server.address() as AddressInfo).port));
  });
}

async function begin(order: TargetsOrder): Promise<void> {
  script = writeScript(order.script);
  let port = 0;
  for (const address of order.addresses) port = await listen(createServer(serve), port, address);
  const ports: TargetsReady["ports"] = {};
  for (const [site, phases] of order.isMixed ? script.entries() : []) {
    const type = kindOf(site);
    if (type !== null) ports[site] = await listenAs(type, () => modeNow(site, phases));
  }
  process.send?.({ port, ports, ca: order.isMixed ? (await testCa()).pem : "" } satisfies TargetsReady);
}

process.on("message", (message: TargetsOrder | { beganAt: number } | "report") => {
  if (message === "report") process.send?.(served);
  else if ("beganAt" in message) beganAt = message.beganAt;
  else void begin(message);
});
process.on("disconnect", () => process.exit(0));
process.send?.("ready");
