import { parentPort, workerData } from "node:worker_threads";
import { type StopSignal, stopCheck } from "./check.ts";
import type { Network } from "./network.ts";
import { PageError } from "./page.ts";
import type { FromPageWorker, PageAnswers, PageKind, PageSettings, ToPageWorker } from "./page-messages.ts";
import { searchIcon, searchTitle } from "./page-search.ts";
import { createResolver } from "./resolve.ts";

type Search = (url: string, network: Network, signal: StopSignal) => Promise<PageAnswers[PageKind]>;

const SEARCHES: Record<PageKind, Search> = { title: searchTitle, icon: searchIcon };

const { resolvers, policy } = workerData as PageSettings;
const network: Network = { resolver: createResolver({ servers: resolvers }), policy };
const underWay = new Map<number, StopSignal>();

parentPort?.on("message", (message: ToPageWorker) => {
  if (message.type === "cancel") {
    const signal = underWay.get(message.id);
    if (signal) stopCheck(signal);
  } else void answer(message);
});

async function answer({ id, type, url }: { id: number; type: PageKind; url: string }): Promise<void> {
  const signal: StopSignal = { isStopped: false, listener: null };
  underWay.set(id, signal);
  try {
    post({ id, found: await SEARCHES[type](url, network, signal) });
  } catch (error) {
    // Anything else is a fault of ours: the thread ends with it, and whoever started it says so.
    if (!(error instanceof PageError)) throw error;
    post({ id, failure: { reasonCode: error.reasonCode, message: error.message } });
  } finally {
    underWay.delete(id);
  }
}

function post(message: FromPageWorker): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parentPort?.postMessage(message);
}
