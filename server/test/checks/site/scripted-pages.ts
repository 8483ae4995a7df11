import { threadId } from "node:worker_threads";
import type { PageAnswers, PageReadRequest } from "../../../src/checks/site/page-reader.ts";
import { handleRequests } from "../../../src/platform/worker-pool.ts";

const going = Promise.withResolvers<void>();

/** In place of the thread that reads pages: an address says what to do. Run as its module. */
handleRequests<PageReadRequest>(async ({ url }): Promise<PageAnswers["title"]> => {
  if (url === "hang") await new Promise(() => {});
  if (url === "wait") await going.promise;
  if (url === "go") going.resolve();
  if (url === "throw") throw new TypeError("scripted");
  if (url === "crash") {
    setImmediate(() => {
      throw new Error("scripted");
    });
    await new Promise(() => {});
  }
  while (url === "spin");
  if (url === "hungry") return { title: String(holdMegabytes(400)), url };
  return { title: String(threadId), url };
});

function holdMegabytes(count: number): number {
  return Array.from({ length: count }, (_, n) => new Array<number>(131_072).fill(n)).length;
}
