import net from "node:net";

/** A relay between a check and its server, and lets only some of the answer through. */
export interface Relay {
  port: number;
  /** After how many bytes of the answers a piece of them ended, in the order in which they came. */
  pieces: number[];
  close(): Promise<void>;
}

interface Holding {
  /** So much of an answer is let through, and nothing after it. */
  bytes?: number;
  /** Its bytes go on one by one, each so long after the one before; null: as they come. */
  everyMs?: number | null;
}

/** Listens on loopback, and passes each connection on to the port there. */
export async function startRelay(
  port: number,
  { bytes = Infinity, everyMs = null }: Holding = {},
): Promise<Relay> {
  const pieces: number[] = [];
  const open = new Set<() => void>();
  const server = net.createServer((client) => {
    const target = net.connect(port, "127.0.0.1");
    const passOn = everyMs === null ? (said: Buffer) => void client.write(said) : dripping(client, everyMs);
    let receivedBytes = 0;
    client.on("data", (said) => target.write(said));
    target.on("data", (said: Buffer) => {
      const passed = said.subarray(0, Math.max(0, bytes - receivedBytes));
      receivedBytes += said.length;
      pieces.push(receivedBytes);
      if (passed.length > 0) passOn(passed);
    });
    const end = () => {
      client.destroy();
      target.destroy();
    };
    open.add(end);
    client.on("error", end).on("close", () => {
      end();
      open.delete(end);
    });
    // The server may hang up before it has read everything; the client is to wait for it.
    target.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = async () => {
    for (const end of open) end();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port: (server.address() as net.AddressInfo).port, pieces, close };
}

function dripping(client: net.Socket, everyMs: number): (said: Buffer) => void {
  const left: Buffer[] = [];
  const timer = setInterval(() => {
    const said = left.shift();
    if (said === undefined) return;
    client.write(said.subarray(0, 1));
    if (said.length > 1) left.unshift(said.subarray(1));
  }, everyMs);
  client.on("close", () => clearInterval(timer));
  return (said) => void left.push(said);
}
