import dgram from "node:dgram";
import dns from "node:dns";
import net from "node:net";
import { type NameServerAnswer, readMessage } from "./dns-answer.ts";
import type { DnsType } from "./dns-records.ts";
import {
  type DnsQueryMessage,
  EDNS_REFUSALS,
  encodeDnsQuery,
  hasId,
  isDnsName,
  MAX_ANSWER_BYTES,
  MAX_DATAGRAM_BYTES,
  MAX_UNFIT,
  type ServerPlace,
  serverPlace,
  withLength,
} from "./dns-records.ts";

/** How a name server failed to answer a question. */
export type ServerFailure = "timeout" | "servfail" | "refused";

/** What a name server says: an answer to the question, which is that there are records or none, or no answer. */
export type ServerReply = { answer: NameServerAnswer } | { failure: ServerFailure };

type Exchanged = ServerReply | "cut";

/**
 * Sends a question to one name server of the machine and reads the answer: over UDP, over TCP where it is too long for
 * that, and without EDNS where the server refuses it. Each exchange takes `timeoutMs` at most. Never rejects.
 */
async function queryNameServer(
  server: ServerPlace,
  query: DnsQueryMessage,
  timeoutMs: number,
): Promise<ServerReply> {
  const overUdp = await exchangeOverUdp(server, query, timeoutMs);
  const reply = overUdp === "cut" ? await exchangeOverTcp(server, query, timeoutMs) : overUdp;
  if (!("answer" in reply)) return reply;
  const { rcode } = reply.answer;
  if (query.plain !== null && EDNS_REFUSALS.has(rcode))
    return queryNameServer(server, query.plain, timeoutMs);
  if (rcode === "NOERROR" || rcode === "NXDOMAIN") return reply;
  return { failure: rcode === "REFUSED" ? "refused" : "servfail" };
}

/** Where these name servers are; without any, those of the system as it is now. */
export const placesOf = (servers: readonly string[]): ServerPlace[] =>
  (servers.length > 0 ? servers : new dns.Resolver().getServers()).flatMap((one) => serverPlace(one) ?? []);

/**
 * Sends a question to one name server after the other until one answers it. `roundsMs`: how long each has, in each round.
 * `noteSilence` is called with every server that did not answer in time.
 */
export async function queryServersInTurn(
  servers: readonly ServerPlace[],
  query: DnsQueryMessage,
  roundsMs: readonly number[],
  noteSilence: (server: ServerPlace) => void = () => {},
): Promise<ServerReply> {
  let reply: ServerReply = { failure: "refused" };
  for (const timeoutMs of roundsMs) {
    for (const server of servers) {
      reply = await queryNameServer(server, query, timeoutMs);
      if ("answer" in reply) return reply;
      if (reply.failure === "timeout") noteSilence(server);
    }
  }
  return reply;
}

/**
 * What these name servers say of a name's records of this type: those to which its aliases lead, and no others. Null: no
 * server gave an answer to rely on.
 */
export async function lookUpRecords(
  servers: readonly string[],
  { name, type }: { name: string; type: DnsType },
  roundsMs: readonly number[],
): Promise<NameServerAnswer | null> {
  if (!isDnsName(name)) return { rcode: "NXDOMAIN", isVerified: false, records: [], strayNames: [] };
  const reply = await queryServersInTurn(placesOf(servers), encodeDnsQuery(name, type), roundsMs);
  return "answer" in reply ? reply.answer : null;
}

/** A socket of its own for each question, so that its port is not to be guessed, and connected, so that nothing from another host is received. */
function exchangeOverUdp(
  { address, family, port }: ServerPlace,
  query: DnsQueryMessage,
  timeoutMs: number,
): Promise<Exchanged> {
  const { promise, resolve } = Promise.withResolvers<Exchanged>();
  const socket = dgram.createSocket({
    type: family === 6 ? "udp6" : "udp4",
    // Called for the address to bind to as well. There are no names.
    lookup: (literal, _options, found) => found(null, literal, family),
  });
  let isOver = false;
  let unfit = 0;
  const end = (reply: Exchanged) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    socket.close();
    resolve(reply);
  };
  const timer = setTimeout(end, timeoutMs, { failure: "timeout" });
  socket.on("error", () => end({ failure: "refused" }));
  socket.on("message", (bytes) => {
    if (isOver || !hasId(bytes, query) || bytes.length > MAX_DATAGRAM_BYTES || unfit >= MAX_UNFIT) return;
    const reply = replyIn(bytes, query);
    if (reply === null) unfit += 1;
    else end(reply);
  });
  socket.once("connect", () => socket.send(query.bytes));
  socket.connect(port, address);
  return promise;
}

function exchangeOverTcp(
  { address, port }: ServerPlace,
  query: DnsQueryMessage,
  timeoutMs: number,
): Promise<ServerReply> {
  const { promise, resolve } = Promise.withResolvers<ServerReply>();
  const socket = net.connect({ host: address, port });
  let received = Buffer.alloc(0);
  const end = (reply: ServerReply) => {
    clearTimeout(timer);
    socket.destroy();
    resolve(reply);
  };
  const timer = setTimeout(end, timeoutMs, { failure: "timeout" });
  socket.on("error", () => end({ failure: "refused" }));
  socket.on("close", () => end({ failure: "servfail" }));
  socket.on("data", (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    const size = received.length < 2 ? 0 : received.readUInt16BE();
    if (size > MAX_ANSWER_BYTES) return end({ failure: "servfail" });
    if (received.length < 2 || received.length < 2 + size) return;
    const reply = replyIn(received.subarray(2, 2 + size), query);
    end(reply === null || reply === "cut" ? { failure: "servfail" } : reply);
  });
  socket.write(withLength(query));
  return promise;
}

/** Null: it is no answer to this question. */
function replyIn(bytes: Buffer, query: DnsQueryMessage): Exchanged | null {
  const message = readMessage(bytes, query);
  if (message.kind === "answer") return { answer: message.answer };
  if (message.kind === "broken") return { failure: "servfail" };
  return message.kind === "cut" ? "cut" : null;
}
