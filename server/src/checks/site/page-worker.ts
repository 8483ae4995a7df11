import { workerData } from "node:worker_threads";
import { handleRequests } from "../../platform/worker-pool.ts";
import { type StopSignal, stopCheck } from "../deadline.ts";
import type { Network } from "../network.ts";
import { createResolver } from "../resolve.ts";
import type { PageAnswers, PageKind, PageReadRequest, PageSettings } from "./page-reader.ts";
import { searchIcon, searchTitle } from "./page-search.ts";

type Search = (url: string, network: Network, signal: StopSignal) => Promise<PageAnswers[PageKind]>;

const SEARCHES: Record<PageKind, Search> = { title: searchTitle, icon: searchIcon };

const { resolvers, policy } = workerData as PageSettings;
const network: Network = { resolver: createResolver({ servers: resolvers, policy }), policy };

handleRequests<PageReadRequest>(({ kind, url }, givenUp) => {
  const signal: StopSignal = { isStopped: false, listener: null };
  givenUp.addEventListener("abort", () => stopCheck(signal), { once: true });
  return SEARCHES[kind](url, network, signal);
});
