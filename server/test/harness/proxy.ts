import net, { type AddressInfo } from "node:net";

/** A TCP proxy in front of a database, so that a test can take the database away and give it back. */
export interface TestProxy {
  /** The address given, with the proxy's port. */
  url: string;
  /** Ends every connection and refuses new ones. */
  cut(): void;
  restore(): void;
  close(): void;
}

export async function startProxy(target: string): Promise<TestProxy> {
  const to = new URL(target);
  const sockets = new Set<net.Socket>();
  let up = true;
  const server = net.createServer((client) => {
    if (!up) return client.destroy();
    const upstream = net.connect(Number(to.port), to.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    return client.pipe(upstream).pipe(client);
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", listening.resolve);
  await listening.promise;
  const own = new URL(target);
  own.hostname = "127.0.0.1";
  own.port = String((server.address() as AddressInfo).port);
  const cut = () => {
    up = false;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: own.toString(),
    cut,
    restore: () => {
      up = true;
    },
    close: () => {
      cut();
      server.close();
    },
  };
}
