// Loaded by a server under test before its own code: addresses below /fault/ throw where nothing is ready to catch it.
import { subscribe } from "node:diagnostics_channel";

const fail = () => {
  throw new Error("a fault on purpose");
};

const FAULTS = {
  timer: () => setTimeout(fail, 1),
  promise: () => void Promise.reject(new Error("a fault on purpose")),
  body: ({ request }) => request.on("data", fail),
  answer: ({ response }) => response.on("finish", fail),
  socket: ({ socket }) => socket.on("close", fail),
  nobody: () => {},
};

subscribe("http.server.request.start", (event) => {
  const name = event.request.url.replace("/fault/", "");
  FAULTS[name]?.(event);
});

// What no connection led to.
process.on("SIGUSR2", () => setTimeout(fail, 1));
