/**
 * The load generator, in a process of its own: keeps `connections` busy with GET requests for so many
 * milliseconds, each asking for the next of `paths`, and tells how many were answered. Anything but 200
 * ends it. Told by messages: LoadOrder in, LoadReport out.
 */
import { connect } from "node:net";

export interface LoadOrder {
  port: number;
  paths: string[];
  /** What every request says of itself, besides the host. */
  headers: Record<string, string>;
  connections: number;
  forMs: number;
}

export interface LoadReport {
  requests: number;
  elapsedMs: number;
}

const HEAD_END = "\r\n\r\n";

process.on("message", (order: LoadOrder) => {
  void run(order).then((report) => process.send?.(report));
});
process.send?.("ready");
process.on("disconnect", () => process.exit(0));

async function run(order: LoadOrder): Promise<LoadReport> {
  const begun = performance.now();
  let next = 0;
  const takePath = () => order.paths[next++ % order.paths.length] ?? "/";
  const counts = await Promise.all(
    Array.from({ length: order.connections }, () => keepAsking(order, takePath, begun + order.forMs)),
  );
  return { requests: counts.reduce((sum, count) => sum + count, 0), elapsedMs: performance.now() - begun };
}

/** One connection, one request after another until the time is over; how many were answered. */
function keepAsking(order: LoadOrder, takePath: () => string, untilMs: number): Promise<number> {
  const lines = Object.entries({ Host: `127.0.0.1:${order.port}`, ...order.headers });
  const head = `${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
  return new Promise((resolve, reject) => {
    const socket = connect(order.port, "127.0.0.1");
    const ask = () => socket.write(`GET ${takePath()} HTTP/1.1\r\n${head}`);
    let answered = 0;
    let text = "";
    socket.setEncoding("latin1");
    socket.on("connect", ask);
    socket.on("error", reject);
    socket.on("close", () => resolve(answered));
    socket.on("data", (chunk: string) => {
      text += chunk;
      const end = text.indexOf(HEAD_END);
      if (end < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(text.slice(0, end))?.[1]);
      if (text.length < end + HEAD_END.length + length) return;
      if (!text.startsWith("HTTP/1.1 200")) reject(new Error(text.slice(0, 300)));
      text = "";
      answered += 1;
      if (performance.now() < untilMs) ask();
      else socket.end();
    });
  });
}
