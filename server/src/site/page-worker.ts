import { workerData } from "node:worker_threads";
import { type StopSignal, stopCheck } from "../check/deadline.ts";
import type { Network } from "../check/network.ts";
import { createResolver } from "../check/resolve.ts";
import { handleRequests } from "../thread.ts";
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
