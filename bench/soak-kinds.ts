/**
 * The soak's targets that are no web pages: every other site of a mix, each on a port of its own, with the conversations of
 * the tests. Pings cannot fail by a script on loopback, and have no place here.
 */
import dgram from "node:dgram";
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { setTimeout as after } from "node:timers";
import { CONVERSATIONS, type Conversation, type Talk } from "../server/test/harness/conversations.ts";
import type { Mode } from "./soak-script.ts";

const conversations: Record<string, Conversation> = CONVERSATIONS;
const OTHERS = Object.keys(conversations).filter((type) => type !== "http");
const SLOW_MS = 300;
const BACKLOG = 4_096;
/** The same question again, from the same port. */
const ASKED_AGAIN_MS = 5_000;

/** What a site of a mix is: a quarter TCP, a quarter of all other kinds; null: a web page. */
export function kindOf(site: number): string | null {
  if (site % 2 === 0) return null;
  return site % 4 === 1 ? "tcp" : (OTHERS[((site - 3) / 4) % OTHERS.length] as string);
}

/** The settings of a monitor for a site of that kind. */
export const configOf = (type: string, port: number): object => conversations[type]?.config(port) ?? {};

/** Listens as that kind; `modeNow` says how a check that comes now is answered, and takes note of it. */
export async function listenAs(type: string, modeNow: () => Mode): Promise<number> {
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

async function answerDatagrams(answer: (question: Buffer) => Buffer, modeNow: () => Mode): Promise<number> {
  const socket = dgram.createSocket("udp4").bind(0, "127.0.0.1");
  const asked = new Map<number, { at: number; mode: Mode }>();
  socket.on("message", (question, { port }) => {
    const known = asked.get(port);
    const isAgain = known !== undefined && Date.now() - known.at < ASKED_AGAIN_MS;
    const mode = isAgain ? known.mode : modeNow();
    if (!isAgain) asked.set(port, { at: Date.now(), mode });
    const reply = () => void socket.send(answer(question), port, "127.0.0.1");
    if (mode === "up") reply();
    else if (mode === "slow") after(reply, SLOW_MS);
    else if (mode === "down" || mode === "half") socket.send("no", port, "127.0.0.1");
  });
  await once(socket, "listening");
  return socket.address().port;
}
