import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keepCookies, withCookies } from "../../../src/checks/http/http-redirects.ts";
import { composeRequest } from "../../../src/checks/http/http-request.ts";
import { createResolver } from "../../../src/checks/resolve.ts";
import { anyText } from "../../harness/any-text.ts";
import type { Behaviour, TargetRequest } from "../../harness/behaviours.ts";
import * as behaviours from "../../harness/behaviours.ts";
import { startDnsTarget } from "../../harness/dns-target.ts";
import { startHttp2Target } from "../../harness/http2-target.ts";
import { check, closing, startHttpTarget, startTlsTarget } from "../factories.ts";

/** A redirect with these Set-Cookie lines. */
const setting = (location: string, ...cookies: string[]): Behaviour => {
  const lines = cookies.map((cookie) => `set-cookie: ${cookie}\r\n`).join("");
  return behaviours.raw([`HTTP/1.1 302 Found\r\nlocation: ${location}\r\n${lines}content-length: 0\r\n\r\n`]);
};

/** Answers by path; 200 where nothing is said. */
const byPath =
  (answers: Record<string, Behaviour>): Behaviour =>
  (socket, request) =>
    (answers[request.path] ?? behaviours.status(200))(socket, request);

const cookiesOf = (requests: readonly TargetRequest[]) =>
  requests.map(({ path, headers }) => `${path} ${headers["cookie"] ?? "-"}`);

/** A client without the cookie is given it and sent back. */
const wall: Behaviour = (socket, request) =>
  (request.headers["cookie"] === "seen=1" ? behaviours.status(200) : setting("/", "seen=1; Path=/"))(
    socket,
    request,
  );

describe("cookies within one check", () => {
  test("that a redirect sets on the way back are sent: no circle, and forgotten by the next check", async () => {
    const target = await startHttpTarget({ handler: wall });
    for (let time = 0; time < 2; time += 1) {
      const outcome = await check(target.url);
      expect(outcome).toMatchObject({ verdict: "ok", statusCode: 200 });
      expect(outcome.redirects).toHaveLength(1);
    }
    expect(cookiesOf(target.requests)).toEqual(["/ -", "/ seen=1", "/ -", "/ seen=1"]);
  });

  test("are stored over HTTP/2 and TLS too", async () => {
    const target = closing(await startHttp2Target());
    target.set((stream, headers) => {
      const knows = headers["cookie"] === "a=1; b=2";
      const redirect = { ":status": 302, location: "/", "set-cookie": ["a=1", "b=2; Secure"] };
      stream.respond(knows ? { ":status": 200 } : redirect);
      stream.end();
    });
    expect(await check(target.url)).toMatchObject({ verdict: "ok", protocol: "h2" });
    expect(await check((await startTlsTarget({ handler: wall })).url)).toMatchObject({ verdict: "ok" });
  });

  test.each(["http://test/", "http://local/", "http://example/", "http://localhost:1/", "http://invalid/"])(
    "end no more than that check where a redirect leads to %s",
    async (location) => {
      const target = await startHttpTarget({ handler: setting(location, "a=b") });
      const outcome = await check(target.url);
      expect(outcome).toMatchObject({ verdict: "failed", redirects: [{ statusCode: 302, url: location }] });
      expect(["dns", "refused"]).toContain(outcome.reasonCode);
    },
  );

  test("do not hide a circle: the same request with the same cookies", async () => {
    const target = await startHttpTarget({ handler: setting("/", "seen=1; Path=/") });
    expect(await check(target.url)).toMatchObject({
      reasonCode: "redirect",
      reason: `Redirect loop: "${target.url}" was already requested.`,
    });
    expect(target.requests).toHaveLength(2);
    let count = 0;
    target.set((socket, request) => setting("/", `count=${++count}`)(socket, request));
    expect((await check(target.url)).reason).toContain("More than 10 redirects");
  });

  test("keep to their path, and expire when they are set to", async () => {
    const target = await startHttpTarget({
      handler: byPath({
        "/": setting("/a/1", "in=1; Path=/a", "out=1; Path=/b", "all=1; Path=/", "own=1"),
        "/a/1": setting(
          "/a/2",
          "all=; Path=/; Max-Age=0",
          "in=; Path=/a; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
        ),
        "/a/2": setting("/b/3"),
      }),
    });
    expect(await check(target.url)).toMatchObject({ verdict: "ok" });
    expect(cookiesOf(target.requests)).toEqual([
      "/ -",
      "/a/1 in=1; all=1; own=1",
      "/a/2 own=1",
      "/b/3 out=1; own=1",
    ]);
  });

  test("are not given to another host, unless it belongs to the domain that they are for", async () => {
    const target = await startHttpTarget();
    const names = [
      "shop.example.com",
      "www.example.com",
      "example.com",
      "shop.co.uk",
      "www.co.uk",
      "evil.test",
    ];
    const dns = closing(
      await startDnsTarget(Object.fromEntries(names.map((name) => [name, { a: ["127.0.0.1"] }]))),
    );
    const network = { resolver: createResolver({ servers: [dns.server] }) };
    const at = (host: string, path: string) => `http://${host}:${target.port}${path}`;
    const run = async (from: string, to: string, ...cookies: string[]) => {
      target.requests.length = 0;
      target.set(byPath({ "/": setting(at(to, "/to"), ...cookies) }));
      await check(at(from, "/"), { network });
      return target.requests[1]?.headers["cookie"];
    };
    const all = ["own=1", "wide=1; Domain=example.com", "foreign=1; Domain=evil.test", "top=1; Domain=com"];
    expect(await run("shop.example.com", "shop.example.com", ...all)).toBe("own=1; wide=1");
    expect(await run("shop.example.com", "www.example.com", ...all)).toBe("wide=1");
    expect(await run("example.com", "www.example.com", ...all)).toBe("wide=1");
    expect(await run("shop.example.com", "evil.test", ...all)).toBeUndefined();
    expect(await run("shop.co.uk", "www.co.uk", "a=1; Domain=co.uk", "b=1")).toBeUndefined();
  });

  test("that are Secure are not sent without TLS", async () => {
    const plain = await startHttpTarget();
    const target = await startTlsTarget({
      handler: setting(plain.url.replace("127.0.0.1", "localhost"), "secret=1; Secure", "open=1"),
    });
    expect(await check(target.url)).toMatchObject({ verdict: "ok" });
    expect(plain.requests[0]?.headers["cookie"]).toBe("open=1");
  });

  test("are few and short, and smuggle nothing", async () => {
    const many = Array.from({ length: 300 }, (_, at) => `c${at}=1`);
    const target = await startHttpTarget({ handler: byPath({ "/": setting("/b", ...many) }) });
    await check(target.url);
    expect(target.requests[1]?.headers["cookie"]?.split("; ")).toHaveLength(100);
    const long = Array.from({ length: 15 }, (_, at) => `d${at}=${"x".repeat(4000)}`);
    target.set(byPath({ "/": setting("/b", `huge=${"x".repeat(5000)}`, ...long) }));
    await check(target.url);
    expect(target.requests[3]?.headers["cookie"]?.length).toBeLessThan(16_400);
    expect(target.requests[3]?.raw).not.toContain("huge");
    target.set(byPath({ "/": setting("/b", "a=1\rX-Evil: 1", "b=\0", "=", ";;;", "__proto__=1", "fine=1") }));
    expect(await check(target.url)).toMatchObject({ verdict: "ok" });
    expect(target.requests[5]?.headers["cookie"]).toMatch(/fine=1$/);
    expect(target.requests[5]?.raw).not.toMatch(/evil|\0/i);
  });
});

test("whatever a server sets, a request can be made of it, within 16 KiB of cookies", async () => {
  const words = [
    "a=1",
    "__Host-x=1",
    "Domain=",
    "Domain=com",
    "Domain=[::1]",
    "Path=",
    "Expires=x",
    "Max-Age=-9",
    ";",
    "=",
    '"',
  ];
  const line = fc.oneof(
    anyText(),
    fc.array(fc.constantFrom(...words)).map((all) => all.join(";")),
  );
  const hosts = fc.constantFrom(
    "http://a.example.com/",
    "https://[::1]:8080/x/y?z",
    "http://127.0.0.1/",
    "http://com/",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 120 }), hosts, async (lines, host) => {
      const url = new URL(host);
      const cookies = await keepCookies(null, url, lines);
      const request = withCookies(composeRequest(url, "GET", [], null), cookies);
      expect(request.bytes.length).toBeLessThan(17_000);
      expect(request.bytes.toString("latin1").split("\r\n").length).toBeLessThanOrEqual(6);
    }),
    { numRuns: 300 },
  );
});

describe("the monitor's own Cookie header", () => {
  const headers = { Cookie: "theme=dark; session=old" };

  test("stays beside the server's cookies, which replace those of their name", async () => {
    const target = await startHttpTarget({
      handler: byPath({ "/": setting("/b", "session=new"), "/b": setting("/c", "session=; Max-Age=0") }),
    });
    await check({ url: target.url, headers });
    expect(cookiesOf(target.requests)).toEqual([
      "/ theme=dark; session=old",
      "/b theme=dark; session=new",
      "/c theme=dark; session=old",
    ]);
  });

  test("does not go to another host, nor do the cookies of the first one", async () => {
    const other = await startHttpTarget();
    const target = await startHttpTarget({
      handler: setting(other.url.replace("127.0.0.1", "localhost"), "session=new"),
    });
    await check({ url: target.url, headers });
    expect(other.requests[0]?.raw).not.toMatch(/cookie|session|theme/i);
  });
});
