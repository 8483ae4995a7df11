import { parentPort, threadId } from "node:worker_threads";
import type { FromPageWorker, ToPageWorker } from "../../src/check/page-messages.ts";

/** Stands for the thread that reads pages: an address says what to do. Run as its module. */
parentPort?.on("message", (message: ToPageWorker) => {
  if (message.type === "cancel" || message.url === "hang") return;
  if (message.url === "crash") throw new Error("scripted");
  while (message.url === "spin");
  const answer: FromPageWorker = { id: message.id, found: { title: String(threadId), url: message.url } };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parentPort?.postMessage(answer);
});
