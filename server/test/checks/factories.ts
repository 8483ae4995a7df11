import { afterEach } from "vitest";
import type { CheckOutcome } from "../../src/checks/check.ts";
import type { StopSignal } from "../../src/checks/deadline.ts";
import { checkHttp } from "../../src/checks/http/http.ts";
import type { HttpConfig } from "../../src/checks/http/http-config.ts";
import type { Network } from "../../src/checks/network.ts";
import { createResolver } from "../../src/checks/resolve.ts";
import { testCa } from "../harness/certificates.ts";
import { readable } from "../harness/reasons.ts";
import {
  startHttpTarget as startHttp,
  startTlsTarget as startTls,
  type Target,
  type TlsTarget,
} from "../harness/targets.ts";

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const target of open.splice(0)) await target.close();
});

/** Closes it after the test. */
export function closing<T extends { close(): Promise<void> }>(target: T): T {
  open.push(target);
  return target;
}

export const startHttpTarget = async (options?: Parameters<typeof startHttp>[0]): Promise<Target> =>
  closing(await startHttp(options));

export const startTlsTarget = async (options?: Parameters<typeof startTls>[0]): Promise<TlsTarget> =>
  closing(await startTls(options));

/** The same list for all: what is made of one is cached by it. */
let trusted: Promise<string[]> | undefined;

/** A network that queries no real name server and trusts the test's CA. */
export async function makeNetwork(more: Partial<Network> = {}): Promise<Network> {
  const resolver = createResolver({ servers: ["127.0.0.1:1"], systemLookup: async () => [] });
  trusted ??= testCa().then(({ pem }) => [pem]);
  return { resolver, policy: "all", ca: await trusted, ...more };
}

/** Runs one HTTP check. */
export async function check(
  config: HttpConfig | string,
  options: { network?: Partial<Network>; timeoutMs?: number; signal?: StopSignal } = {},
): Promise<ReturnType<typeof readable<CheckOutcome>>> {
  const { timeoutMs = 5000, signal } = options;
  const network = await makeNetwork(options.network);
  const environment = signal === undefined ? { network, timeoutMs } : { network, timeoutMs, signal };
  return readable(await checkHttp.run(typeof config === "string" ? { url: config } : config, environment));
}
