/**
 * A server of every kind of check that one process can speak, on loopback, in a process of its own: the conversations
 * of the tests. Tells its parent where each listens, and the certificate (PEM) of the CA to trust.
 */
import dgram from "node:dgram";
import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { testCa } from "../server/test/harness/certificates.ts";
import { CONVERSATIONS, type Conversation } from "../server/test/harness/conversations.ts";

/** The first message. */
export interface KindsReady {
  ports: Record<string, number>;
  ca: string;
}

const BACKLOG = 4096;

async function listen({ talk, answer }: Conversation): Promise<number> {
  if (answer !== undefined) {
    const socket = dgram.createSocket("udp4").bind(0, "127.0.0.1");
    socket.on("message", (question, { port }) => socket.send(answer(question), port, "127.0.0.1"));
    await once(socket, "listening");
    return socket.address().port;
  }
  const begin = await talk?.();
  const server = net.createServer((socket) => {
    socket.on("error", () => {});
    begin?.(socket);
  });
  server.listen(0, "127.0.0.1", BACKLOG);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

const ports: KindsReady["ports"] = {};
for (const [type, conversation] of Object.entries(CONVERSATIONS)) ports[type] = await listen(conversation);
process.send?.({ ports, ca: (await testCa()).pem } satisfies KindsReady);
process.on("disconnect", () => process.exit(0));
