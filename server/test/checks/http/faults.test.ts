import { describe, expect, test } from "vitest";
import { followHops, type HopOptions, type HopsResult } from "../../../src/checks/http/http-hops.ts";
import { composeRequest, parseHttpUrl } from "../../../src/checks/http/http-request.ts";
import { NO_BODY } from "../../../src/checks/http/http-response-body.ts";
import type { ResolvedAddress } from "../../../src/platform/formats/host.ts";
import * as behaviours from "../../harness/behaviours.ts";
import { answer, startHttp2Target } from "../../harness/http2-target.ts";
import { closing, makeNetwork, startHttpTarget, startTlsTarget } from "../factories.ts";

const FAULT = new Error("a fault of ours");
const faulty = (): never => {
  throw FAULT;
};

/** Sends a request; rejects with what its code throws, wherever it does. */
async function send(url: string, more: Partial<HopOptions> = {}, done?: (result: HopsResult) => void) {
  const network = more.network ?? (await makeNetwork());
  const bodyLimit = () => ({ bytes: 1000, purpose: "text" as const, enough: null });
  const options = { timeoutMs: 5000, signal: undefined, followRedirects: true, ignoreCertificate: false };
  return new Promise<HopsResult>((resolve, reject) => {
    const request = composeRequest(parseHttpUrl(url), "GET", [], null);
    followHops(request, { ...options, bodyLimit, ...more, network }, done ?? resolve, reject);
  });
}

/** A network whose resolver gives this. */
const resolving = async (addresses: unknown, late: Promise<unknown> | null = null) => {
  const network = await makeNetwork();
  const resolution = { addresses, late } as { addresses: ResolvedAddress[]; late: null };
  return { ...network, resolver: { ...network.resolver, resolve: async () => resolution } };
};

describe("what a check's own code throws ends that check and nothing else", () => {
  test("while it reads an answer, over HTTP/1.1, TLS and HTTP/2", async () => {
    const targets = [
      await startHttpTarget(),
      await startTlsTarget(),
      closing(await startHttp2Target({ handler: answer(200) })),
    ];
    for (const { url } of targets) {
      await expect(send(url, { bodyLimit: faulty })).rejects.toBe(FAULT);
      const enough = () => ({ bytes: 1000, purpose: "text" as const, enough: faulty });
      await expect(send(url, { bodyLimit: enough })).rejects.toBe(FAULT);
      await expect(send(url, {}, faulty)).rejects.toBe(FAULT);
    }
  });

  test("where Node refuses to send the request", async () => {
    const target = closing(await startHttp2Target());
    const request = composeRequest(parseHttpUrl(target.url), "GET", [], null);
    const forbidden = { ...request, headers: [["http2-settings", "x"]] as const };
    const { promise, resolve, reject } = Promise.withResolvers<HopsResult>();
    const network = await makeNetwork();
    const options = { network, timeoutMs: 5000, signal: undefined, ignoreCertificate: false };
    followHops(forbidden, { ...options, followRedirects: true, bodyLimit: () => NO_BODY }, resolve, reject);
    await expect(promise).rejects.toMatchObject({ code: "ERR_HTTP2_INVALID_CONNECTION_HEADERS" });
  });

  test("while it decodes, evaluates and goes on with cookies", async () => {
    const page = await startHttpTarget({ handler: behaviours.compressed("gzip", "text") });
    await expect(send(page.url, {}, faulty)).rejects.toBe(FAULT);
    const lines = "location: /on\r\nset-cookie: a=b\r\ncontent-length: 0";
    const there = behaviours.raw([`HTTP/1.1 302 Found\r\n${lines}\r\n\r\n`]);
    const target = await startHttpTarget({ handler: there });
    const { resolver: working } = await makeNetwork();
    let lookups = 0;
    const guarding = {
      ...(await makeNetwork()),
      get resolver() {
        return ++lookups > 1 ? faulty() : working;
      },
    };
    const url = target.url.replace("127.0.0.1", "localhost");
    await expect(send(url, { network: guarding })).rejects.toBe(FAULT);
  });

  test("with what a name was resolved to, also what came late", async () => {
    const { port } = await startHttpTarget();
    const url = `http://name.test:${port}/`;
    await expect(send(url, { network: await resolving(null) })).rejects.toThrow(TypeError);
    for (const addresses of [[], [{ address: "127.0.0.1", family: 4 }]]) {
      const late = Promise.reject(FAULT);
      await expect(send(url, { network: await resolving(addresses, late) })).rejects.toBe(FAULT);
    }
  });

  test("at the end of its time", async () => {
    const target = await startHttpTarget({ handler: behaviours.hang });
    await expect(send(target.url, { timeoutMs: 20 }, faulty)).rejects.toBe(FAULT);
    let lookups = 0;
    const lostMs = () => (++lookups > 1 ? faulty() : 0);
    await expect(send(target.url, { timeoutMs: 20, lostMs })).rejects.toBe(FAULT);
  });

  test("when it is stopped", async () => {
    const target = await startHttpTarget({ handler: behaviours.hang });
    const signal = { isStopped: false, listener: null as (() => void) | null };
    const sent = send(target.url, { signal }, faulty);
    await Promise.resolve();
    signal.listener?.();
    await expect(sent).rejects.toBe(FAULT);
  });
});
