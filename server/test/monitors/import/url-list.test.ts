import { describe, expect, test } from "vitest";
import { monitorAt } from "../../../src/monitors/import/address.ts";
import { problemOf, read } from "./read.ts";

describe("a list of addresses", () => {
  test("is read line by line, without comments and empty lines", () => {
    const { format, entries } = read(
      "\uFEFF# our sites\r\nhttps://example.com\r\n\r\n  example.org/a#top  # the shop\n[2001:db8::1]:22\ndb.test:5432\n",
    );
    expect(format).toBe("urls");
    const tcp = (host: string, port: number) => ({ protocol: "tcp", protocolConfig: { host, port } });
    expect(entries).toEqual([
      { line: 2, kind: "domain", url: "https://example.com" },
      { line: 4, kind: "domain", url: "example.org/a#top" },
      { line: 5, kind: "service", ...tcp("2001:db8::1", 22) },
      { line: 6, kind: "service", ...tcp("db.test", 5432) },
    ]);
  });

  test("says on which line it names an unknown scheme", () => {
    expect(read("a.test\ngopher://b.test").entries[1]).toEqual({
      line: 2,
      kind: "service",
      problem: "import.kind",
    });
  });
});

describe("an address", () => {
  const service = (protocol: string, protocolConfig: object) => ({
    kind: "service",
    body: { protocol, protocolConfig },
  });

  test.each([
    ["tcp://a.test:25", service("tcp", { host: "a.test", port: 25 })],
    ["icmp://[2001:db8::1]", service("icmp", { host: "2001:db8::1" })],
    ["smtps://mail.test", service("smtp", { host: "mail.test", port: 465, security: "tls" })],
    ["wss://a.test/live?x=1", service("websocket", { host: "a.test", tls: true, path: "/live?x=1" })],
    ["grpc://a.test:50051", service("grpc", { host: "a.test", port: 50_051, tls: false })],
    [
      "postgres://me:p%40ss%2Fword@db.test:5433/shop?sslmode=require",
      service("postgres", {
        host: "db.test",
        port: 5433,
        user: "me",
        password: "p@ss/word",
        database: "shop",
        tls: true,
      }),
    ],
    ["mysql://root@db.test", service("mysql", { host: "db.test", user: "root", tls: false })],
    [
      "rediss://:secret@cache.test",
      service("redis", { host: "cache.test", port: 6379, password: "secret", tls: true }),
    ],
    [
      "mongodb://me:x@m.test/shop?authSource=users",
      service("mongodb", { host: "m.test", user: "me", password: "x", tls: false, authDatabase: "users" }),
    ],
    ["mqtt://broker.test", service("mqtt", { host: "broker.test" })],
  ])("names the kind and its settings: %s", (address, expected) => {
    const { port } = expected.body.protocolConfig as { port?: number };
    expect(monitorAt(address)).toEqual({ ...expected, port });
  });

  test("of a page with user and password becomes one with basic authentication", () => {
    expect(monitorAt("https://me:p%40ss@shop.test/a@b")).toEqual({
      kind: "domain",
      body: {
        url: "https://shop.test/a@b",
        authType: "basic",
        authConfig: { username: "me", password: "p@ss" },
      },
      port: 443,
    });
  });

  test.each(["mongodb://me:secret@a.test,b.test/x", "redis://me:secret@a b:99999999/"])(
    "that cannot be understood is not repeated: %s",
    (address) => {
      const found = monitorAt(address);
      expect(found).toHaveProperty("problem.code", "import.address");
      expect(JSON.stringify(found)).not.toContain("secret");
    },
  );
});

test.each(["{}", "[]", "{\n}", "--", "<a>", "a=1"])("%j is no list of addresses", (content) => {
  expect(problemOf(content)).toBe("import.format");
});
