/** The reference target of the storm's egress guard, in a process of its own, so that it can be stopped: then nobody answers. */
import { type AddressInfo, createServer } from "node:net";

const SHORTEST_BACKLOG = 1;
const server = createServer((socket) => {
  socket.on("error", () => {});
  socket.end();
});
server.listen(0, "127.0.0.1", SHORTEST_BACKLOG, () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit(0));
