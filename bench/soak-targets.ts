/**
 * The soak's targets, in a process of their own: site n is `/n` on any of the addresses it listens on, and
 * behaves as the script says. It logs every request by itself and gives the log out at the end.
 * Messages: "ready" out; TargetsOrder in, TargetsReady out; the beginning in; "report" in, ServedRequest tuples out.
 */
import dgram from "node:dgram";
import { once } from "node:events";
import net, { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { setTimeout as after } from "node:timers";
import { testCa } from "../server/test/harness/certificates.ts";
import { CONVERSATIONS, type Conversation, type Talk } from "../server/test/harness/conversations.ts";
import { seeded } from "../server/test/harness/seeded.ts";

/** What every target of the soak does when: the truth that the program's results are compared with. */

/** `half` announces a body and closes after a byte of it; `stuck` announces one and stops in the middle. */
export type Mode = "up" | "slow" | "down" | "reset" | "hang" | "half" | "stuck";

/** From `fromMs` (of the soak) to the next one's beginning a target behaves like this. */
export interface Phase {
  fromMs: number;
  mode: Mode;
}

export interface ScriptOptions {
  targets: number;
  durationMs: number;
  intervalMs: number;
  seed: number;
}

const BAD: readonly Mode[] = ["down", "reset", "hang", "half", "stuck"];
/** No check of these ends before its timeout. */
const WAITED_FOR: readonly Mode[] = ["hang", "stuck"];
/** A fifth of the targets never fails: nothing may be said about them. */
const STEADY_SHARE = 0.2;
/** Outages in intervals. The short ones may be over before anybody looks. */
const SHORTEST_OUTAGE = 0.3;
const LONGEST_OUTAGE = 3;
/** Between outages, in intervals: so far apart that it does not count as flapping. */
const SHORTEST_PEACE = 10;
const LONGEST_PEACE = 15;

export const isWaitedFor = (mode: Mode): boolean => WAITED_FOR.includes(mode);

/** What the monitors expect an answer to contain of every other site; the others take any body. */
export const KEYWORD = "well";
export const hasAssertion = (site: number): boolean => site % 2 === 1;

export const isBad = (mode: Mode): boolean => BAD.includes(mode);

/** The phases of every target, in order of time; each begins with one at 0. */
export function writeScript({ targets, durationMs, intervalMs, seed }: ScriptOptions): Phase[][] {
  const random = seeded(seed);
  const between = (low: number, high: number) => low + (high - low) * random();
  return Array.from({ length: targets }, () => {
    const well: Mode = random() < 0.1 ? "slow" : "up";
    const phases: Phase[] = [{ fromMs: 0, mode: well }];
    if (random() < STEADY_SHARE) return phases;
    let atMs = between(1, SHORTEST_PEACE) * intervalMs;
    while (atMs < durationMs) {
      const mode = BAD[Math.floor(random() * BAD.length)] as Mode;
      phases.push({ fromMs: Math.round(atMs), mode });
      atMs += between(SHORTEST_OUTAGE, LONGEST_OUTAGE) * intervalMs;
      phases.push({ fromMs: Math.round(atMs), mode: well });
      atMs += between(SHORTEST_PEACE, LONGEST_PEACE) * intervalMs;
    }
    return phases;
  });
}

/** What a target does at a time of the soak; before its beginning it is as in its first phase. */
function modeAt(phases: readonly Phase[], atMs: number): Mode {
  const phase = phases.findLast(({ fromMs }) => fromMs <= atMs);
  return (phase ?? (phases[0] as Phase)).mode;
}

/**
 * The soak's targets that are no web pages: every other site of a mix, each on a port of its own, with the conversations of
 * the tests. Pings cannot fail by a script on loopback, and have no place here.
 */

const conversations: Record<string, Conversation> = CONVERSATIONS;
const OTHERS = Object.keys(conversations).filter((type) => type !== "http");
const SLOW_MS = 300;
const BACKLOG = 4_096;
/** The same query again, from the same port. */
const REPEAT_MS = 5_000;

/** What a site of a mix is: a quarter TCP, a quarter of all other kinds; null: a web page. */
export function kindOf(site: number): string | null {
  if (site % 2 === 0) return null;
  return site % 4 === 1 ? "tcp" : (OTHERS[((site - 3) / 4) % OTHERS.length] as string);
}

/** The settings of a monitor for a site of that kind. */
export const configOf = (type: string, port: number): object => conversations[type]?.config(port) ?? {};

/** Listens as that kind; `modeNow` says how a check that comes now is answered, and takes note of it. */
async function listenAs(type: string, modeNow: () => Mode): Promise<number> {
  const { talk, answer } = conversations[type] as Conversation;
  if (answer !== undefined) return answerDatagrams(answer, modeNow);
  const behave = behaviours((await talk?.()) as Talk);
  const server = net.createServer((socket) => {
    socket.on("error", () => {});
    behave[modeNow()](socket);
  });
  await once(server.listen({ port: 0, host: "127.0.0.1", backlog: BACKLOG }), "listening");
  return (server.address() as AddressInfo).port;
}

const behaviours = (talk: Talk): Record<Mode, Talk> => ({
  up: talk,
  // Some read from the connection itself what came before they looked: those are no slower than others.
  slow: talk,
  down: (socket) => socket.end("-ERR out of order\r\n"),
  reset: (socket) => void socket.resetAndDestroy(),
  hang: () => {},
  half: (socket) => socket.end("2"),
  stuck: (socket) => void socket.write("2"),
});

async function answerDatagrams(answer: (query: Buffer) => Buffer, modeNow: () => Mode): Promise<number> {
  const socket = dgram.createSocket("udp4").bind(0, "127.0.0.1");
  const answered = new Map<number, { at: number; mode: Mode }>();
  socket.on("message", (query, { port }) => {
    const known = answered.get(port);
    const isAgain = known !== undefined && Date.now() - known.at < REPEAT_MS;
    const mode = isAgain ? known.mode : modeNow();
    if (!isAgain) answered.set(port, { at: Date.now(), mode });
    const reply = () => void socket.send(answer(query), port, "127.0.0.1");
    if (mode === "up") reply();
    else if (mode === "slow") after(reply, SLOW_MS);
    else if (mode === "down" || mode === "half") socket.send("no", port, "127.0.0.1");
  });
  await once(socket, "listening");
  return socket.address().port;
}

export interface TargetsOrder {
  script: ScriptOptions;
  /** Loopback addresses, all on one port. */
  addresses: string[];
  /** Whether some sites are of other kinds than HTTP. */
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

function serveTargets(): void {
  process.on("message", (message: TargetsOrder | { beganAt: number } | "report") => {
    if (message === "report") process.send?.(served);
    else if ("beganAt" in message) beganAt = message.beganAt;
    else void begin(message);
  });
  process.on("disconnect", () => process.exit(0));
  process.send?.("ready");
}

if (process.argv[1] === import.meta.filename) serveTargets();
