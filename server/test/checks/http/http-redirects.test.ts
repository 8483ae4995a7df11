import { describe, expect, test } from "vitest";
import { checkHttp } from "../../../src/checks/http/http.ts";
import type { HttpConfig } from "../../../src/checks/http/http-config.ts";
import { createResolver } from "../../../src/checks/resolve.ts";
import { inEnglish } from "../../../src/platform/i18n/english.ts";
import type { MessageDescriptor } from "../../../src/platform/i18n/message.ts";
import * as behaviours from "../../harness/behaviours.ts";
import { startDnsTarget } from "../../harness/dns-target.ts";
import { readable } from "../../harness/reasons.ts";
import { check, closing, makeNetwork, startHttpTarget, startTlsTarget } from "../factories.ts";

const secrets: Partial<HttpConfig> = {
  authType: "bearer",
  authConfig: { token: "secret" },
  headers: { Cookie: "a=b", "X-Api-Key": "secret", "Accept-Language": "fr" },
};

describe("redirects", () => {
  test("are followed, relative ones too, and the last answer counts", async () => {
    const target = await startHttpTarget();
    target.set((socket, request) => {
      const next: Record<string, behaviours.Behaviour> = {
        "/": behaviours.redirect("a", 301),
        "/a": behaviours.redirect("?b#c", 302),
        "/a?b": behaviours.status(204),
      };
      next[request.path]?.(socket, request);
    });
    const outcome = await check(target.url);
    expect(outcome).toMatchObject({ verdict: "ok", statusCode: 204 });
    expect(outcome.redirects).toEqual([
      { statusCode: 301, url: `${target.url}a` },
      { statusCode: 302, url: `${target.url}a?b` },
    ]);
    expect(target.connections()).toBe(3);
  });

  test("phases are summed over the hops", async () => {
    const target = await startHttpTarget();
    target.set((socket, request) =>
      behaviours.slow(60, request.path === "/" ? behaviours.redirect("/b") : behaviours.status(200))(
        socket,
        request,
      ),
    );
    const { phases } = await check(target.url);
    expect(phases.firstByteUs).toBeGreaterThan(115_000);
    expect(phases.totalUs).toBeGreaterThanOrEqual(phases.firstByteUs ?? 0);
  });

  test("ten are followed unless the monitor says otherwise, one more is too many, a circle is called one", async () => {
    const target = await startHttpTarget();
    const count =
      (limit: number): behaviours.Behaviour =>
      (socket, request) => {
        const step = Number(request.path.slice(1) || 0);
        (step < limit ? behaviours.redirect(`/${step + 1}`) : behaviours.status(200))(socket, request);
      };
    for (const [maxRedirects, most] of [
      [undefined, 10],
      [20, 20],
      [1, 1],
    ] as const) {
      const config = { url: target.url, ...(maxRedirects !== undefined && { maxRedirects }) };
      target.set(count(most));
      expect(await check(config)).toMatchObject({ verdict: "ok", statusCode: 200 });
      target.set(count(most + 1));
      expect(await check(config)).toMatchObject({
        reasonCode: "redirect",
        reason: `More than ${most} redirects; the last one leads to "/${most + 1}".`,
        statusCode: 302,
      });
    }
    expect(await check({ url: target.url, maxRedirects: 0 })).toMatchObject({
      verdict: "ok",
      statusCode: 302,
    });
    target.set((socket, request) =>
      behaviours.redirect(request.path === "/" ? "/there" : "/")(socket, request),
    );
    expect(await check(target.url)).toMatchObject({
      reasonCode: "redirect",
      reason: `Redirect loop: "${target.url}" was already requested.`,
    });
    target.set((socket, request) =>
      behaviours.redirect(request.path === "/one" ? "/two" : "/one")(socket, request),
    );
    expect((await check(target.url)).reason).toContain(`"${target.url}one" was already requested`);
  });

  const nowhere: [string, string][] = [
    ["http://", "not a valid URL"],
    ["http://[::1", "not a valid URL"],
    ["http://a b/", "not a valid URL"],
    [`/${"x".repeat(9000)}`, "too long"],
    ["ftp://files.test/", "neither http nor https"],
    ["javascript:alert(1)", "neither http nor https"],
    ["file:///etc/passwd", "neither http nor https"],
  ];

  test.each(nowhere)("to %s cannot be followed", async (location, why) => {
    const target = await startHttpTarget({ handler: behaviours.redirect(location) });
    const outcome = await check(target.url);
    expect(outcome).toMatchObject({ verdict: "failed", reasonCode: "redirect" });
    expect(outcome.reason).toContain(why);
  });

  test("without a Location are answers, evaluated by their status and body", async () => {
    const target = await startHttpTarget({ handler: behaviours.status(302) });
    expect(await check(target.url)).toMatchObject({ verdict: "ok", statusCode: 302 });
    const body = "HTTP/1.1 302 Found\r\nlocation:\r\ncontent-length: 4\r\n\r\nhere";
    target.set(behaviours.raw([body]));
    const expecting = (value: string) =>
      check({ url: target.url, assertions: [{ type: "keyword", operator: "present", value }] });
    expect(await expecting("here")).toMatchObject({ verdict: "ok", statusCode: 302 });
    expect(await expecting("there")).toMatchObject({ verdict: "failed", reasonCode: "assertion" });
    const codes = { url: target.url, assertions: [{ type: "status" as const, codes: "200-299" }] };
    expect(await check(codes)).toMatchObject({ verdict: "failed", reasonCode: "status", statusCode: 302 });
  });

  test("with more than one Location lead to the first, as with curl", async () => {
    const target = await startHttpTarget();
    for (const others of ["location: /first", "LOCATION: /second"]) {
      target.set((socket, request) => {
        const head = `HTTP/1.1 302 Found\r\nlocation: /first\r\n${others}\r\ncontent-length: 0\r\n\r\n`;
        const code = request.path === "/first" ? 204 : 404;
        (request.path === "/" ? behaviours.raw([head]) : behaviours.status(code))(socket, request);
      });
      expect(await check(target.url)).toMatchObject({ verdict: "ok", statusCode: 204 });
    }
  });

  test("that end on http after https are visible, and can be forbidden", async () => {
    const plain = await startHttpTarget();
    const target = await startTlsTarget({ handler: behaviours.redirect(plain.url) });
    const outcome = await check(target.url);
    expect(outcome).toMatchObject({ verdict: "ok", redirects: [{ statusCode: 302, url: plain.url }] });
    expect(inEnglish(outcome.message as MessageDescriptor)).toBe(
      `The redirects end at "${plain.url}", which is not encrypted.`,
    );
    expect(plain.requests).toHaveLength(1);
    expect(await check({ url: target.url, requireTls: true })).toMatchObject({
      verdict: "failed",
      reasonCode: "redirect",
      reason: `A redirect (302) leads from https to "${plain.url}", which is not encrypted.`,
    });
    const unfollowed = { url: target.url, followRedirects: false };
    expect(await check({ ...unfollowed, requireTls: true })).toMatchObject({
      verdict: "failed",
      statusCode: 302,
      reason: `A redirect (302) leads from https to "${plain.url}", which is not encrypted.`,
    });
    expect(await check(unfollowed)).toMatchObject({ verdict: "ok", statusCode: 302 });
    expect(plain.requests).toHaveLength(1);
    plain.set(behaviours.redirect(target.url));
    target.set(behaviours.status(200));
    const upgraded = await check({ url: plain.url, requireTls: true });
    expect([upgraded.verdict, upgraded.message]).toEqual(["ok", undefined]);
    plain.set(behaviours.status(200));
    expect(await check({ url: plain.url, requireTls: true })).toMatchObject({
      verdict: "failed",
      reason: `The answer came from "${plain.url}", which is not encrypted.`,
    });
  });

  test("a Location with line breaks smuggles nothing into the next request", async () => {
    const next = await startHttpTarget();
    const target = await startHttpTarget({
      handler: behaviours.raw([`HTTP/1.1 302 Found\r\nlocation: ${next.url}a\rX-Evil: 1\tb\r\n\r\n`]),
    });
    await check(target.url);
    for (const request of next.requests) expect(Object.keys(request.headers)).not.toContain("x-evil");
  });

  test("are not followed for an API, nor when the monitor says so", async () => {
    const target = await startHttpTarget({ handler: behaviours.redirect("/b") });
    expect(await check({ url: target.url, isApi: true })).toMatchObject({ verdict: "ok", statusCode: 302 });
    expect(await check({ url: target.url, followRedirects: false })).toMatchObject({ statusCode: 302 });
    expect(target.requests).toHaveLength(2);
  });

  test("POST becomes GET, unless the code says to keep it", async () => {
    const target = await startHttpTarget();
    const methods = async (code: number, method: "POST" | "PUT" | "HEAD") => {
      target.requests.length = 0;
      target.set((socket, request) =>
        (request.path === "/" ? behaviours.redirect("/b", code) : behaviours.status(200))(socket, request),
      );
      await check({ url: target.url, method, body: method === "HEAD" ? "" : "hello" });
      return target.requests.map((request) => `${request.method} ${request.body}`.trim());
    };
    expect(await methods(302, "POST")).toEqual(["POST hello", "GET"]);
    expect(await methods(303, "PUT")).toEqual(["PUT hello", "GET"]);
    expect(await methods(301, "PUT")).toEqual(["PUT hello", "PUT hello"]);
    expect(await methods(307, "POST")).toEqual(["POST hello", "POST hello"]);
    expect(await methods(308, "POST")).toEqual(["POST hello", "POST hello"]);
    expect(await methods(303, "HEAD")).toEqual(["HEAD", "HEAD"]);
  });
});

describe("credentials and redirects", () => {
  test("stay with the origin they are meant for", async () => {
    const target = await startHttpTarget();
    target.set((socket, request) =>
      (request.path === "/" ? behaviours.redirect("/b") : behaviours.status(200))(socket, request),
    );
    await check({ url: target.url, ...secrets });
    expect(target.requests[1]?.headers).toMatchObject({ authorization: "Bearer secret", cookie: "a=b" });
  });

  test("are not given to another port", async () => {
    const other = await startHttpTarget();
    const target = await startHttpTarget({ handler: behaviours.redirect(other.url) });
    await check({ url: target.url, ...secrets });
    expect(target.requests[0]?.headers).toMatchObject({
      authorization: "Bearer secret",
      "x-api-key": "secret",
    });
    expect(other.requests[0]?.raw).not.toMatch(/secret|cookie/i);
    expect(other.requests[0]?.headers).toMatchObject({ "accept-language": "fr" });
  });

  test("are not given to another port, though their header is one that may go along", async () => {
    const other = await startHttpTarget();
    const target = await startHttpTarget({ handler: behaviours.redirect(other.url) });
    for (const name of ["User-Agent", "accept", "Accept-Language"]) {
      await check({ url: target.url, authType: "header", authConfig: { name, value: "secret" } });
      expect(target.requests.at(-1)?.raw).toContain("secret");
      expect(other.requests.at(-1)?.raw).not.toContain("secret");
    }
  });

  test("are not given to http after https, nor is a body", async () => {
    const plain = await startHttpTarget();
    const target = await startTlsTarget({ handler: behaviours.redirect(plain.url, 307) });
    const custom: Partial<HttpConfig> = {
      authType: "header",
      authConfig: { name: "X-Token", value: "secret" },
    };
    expect(await check({ url: target.url, ...custom })).toMatchObject({ verdict: "ok" });
    expect(target.requests[0]?.headers).toMatchObject({ "x-token": "secret" });
    expect(plain.requests[0]?.raw).not.toMatch(/secret|x-token/i);
    const outcome = await check({ url: target.url, method: "POST", body: "secret" });
    expect(outcome.reason).toContain("would send the body unencrypted");
    expect(plain.requests).toHaveLength(1);
  });
});

describe("the guard", () => {
  test("refuses loopback where targets are public, without connecting", async () => {
    const target = await startHttpTarget();
    const outcome = await check(target.url, { network: { policy: "public" } });
    expect(outcome).toMatchObject({ verdict: "failed", reasonCode: "guard", address: null });
    expect(outcome.reason).toContain("127.0.0.1");
    expect(target.connections()).toBe(0);
  });

  test("decides on what a name resolves to", async () => {
    const dns = closing(await startDnsTarget({ "inside.test": { a: ["169.254.169.254"] } }));
    const resolver = createResolver({ servers: [dns.server] });
    expect(await check("http://inside.test/", { network: { resolver } })).toMatchObject({
      reasonCode: "guard",
      reason: "Checking 169.254.169.254 is not allowed: cloud metadata addresses are always refused.",
    });
  });

  test.each(["10.1.2.3", "127.0.0.1", "169.254.169.254"])(
    "where targets are public, a name that resolves to %s fails as one that does not exist",
    async (address) => {
      const dns = closing(await startDnsTarget({ "inside.test": { a: [address] } }));
      const network = { resolver: createResolver({ servers: [dns.server] }), policy: "public" as const };
      const inside = await check("http://inside.test/", { network });
      expect(inside).toMatchObject({
        reasonCode: "dns",
        reason: "The name inside.test does not exist in the DNS, or has no public address.",
        address: null,
        phases: { dnsUs: null, totalUs: null },
      });
      const missing = await check("http://gone.test/", { network });
      expect(JSON.stringify(missing).replaceAll("gone.test", "inside.test")).toBe(JSON.stringify(inside));
    },
  );

  test.each(["http://169.254.169.254/latest/meta-data", "http://[::ffff:169.254.169.254]/", "http://0/"])(
    "refuses a redirect to %s",
    async (location) => {
      const target = await startHttpTarget({ handler: behaviours.redirect(location) });
      const outcome = await check(target.url);
      expect(outcome).toMatchObject({ verdict: "failed", reasonCode: "guard" });
      expect(outcome.redirects).toHaveLength(1);
    },
  );

  test("applies the policy again at every hop", async () => {
    const inner = await startHttpTarget();
    const target = await startHttpTarget({ handler: behaviours.redirect(inner.url) });
    let reads = 0;
    const network = Object.defineProperty(await makeNetwork(), "policy", {
      get: () => (reads++ === 0 ? "all" : "public"),
    });
    const outcome = readable(await checkHttp.run({ url: target.url }, { network, timeoutMs: 2000 }));
    expect(outcome).toMatchObject({ reasonCode: "guard" });
    expect(target.requests).toHaveLength(1);
    expect(inner.connections()).toBe(0);
  });
});
