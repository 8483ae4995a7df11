/** The least that an HTTP server in Node could do: the same headers and bytes for every request. Told what by a message. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface BareAnswer {
  headers: Record<string, string>;
  /** In base64, as a message cannot hold bytes. */
  body: string;
}

process.send?.("ready");
process.on("message", ({ headers, body }: BareAnswer) => {
  const bytes = Buffer.from(body, "base64");
  const server = createServer((_request, response) => {
    response.writeHead(200, headers);
    response.end(bytes);
  });
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
});
process.on("disconnect", () => process.exit(0));
