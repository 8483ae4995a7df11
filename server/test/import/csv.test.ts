import { describe, expect, test } from "vitest";
import { problemOf, read } from "./read.ts";

describe("a CSV file", () => {
  test("is read by the names in its head, whatever their order and case", () => {
    const file = read(
      'Name,URL,Type,Interval,Timeout,Tags,Owner\r\n"My ""big"" shop, Berlin",https://shop.test,http,30,5,"eu, web",Ada\r\n\r\nDatabase,db.test:5432,tcp,,,,\r\n',
    );
    expect(file.format).toBe("csv");
    expect(file.notes).toEqual(["Owner"]);
    expect(file.entries).toEqual([
      {
        line: 2,
        kind: "domain",
        name: 'My "big" shop, Berlin',
        url: "https://shop.test",
        checkInterval: 30,
        timeout: 5,
        tags: ["eu", "web"],
      },
      {
        line: 4,
        kind: "service",
        name: "Database",
        protocol: "tcp",
        protocolConfig: { host: "db.test", port: 5432 },
      },
    ]);
  });

  test("may be what a German spreadsheet writes: a byte order mark and semicolons", () => {
    const { format, entries } = read(
      "\uFEFFName;Adresse;Typ;Intervall;Aktiv\r\nBüro;büro.test;http;60;nein\r\n",
    );
    expect(format).toBe("csv");
    expect(entries).toEqual([
      { line: 2, kind: "domain", name: "Büro", url: "büro.test", checkInterval: 60, enabled: false },
    ]);
  });

  test.each([
    ["ping,10.0.0.1,", { protocol: "icmp", protocolConfig: { host: "10.0.0.1" } }],
    ["heartbeat,,", { protocol: "heartbeat", protocolConfig: {} }],
    ["dns,shop.test,", { protocol: "dns", protocolConfig: { hostname: "shop.test" } }],
    [
      "redis,redis://:x@c.test:6380,",
      { protocol: "redis", protocolConfig: { host: "c.test", port: 6380, password: "x" } },
    ],
    ["tcp,[2001:db8::1],22", { protocol: "tcp", protocolConfig: { host: "2001:db8::1", port: 22 } }],
    [",https://shop.test,", { url: "https://shop.test" }],
  ])("names kinds as people call them: %s", (row, expected) => {
    const { entries } = read(`type,url,port\n${row}\n`);
    expect(entries[0]).toMatchObject(expected);
  });

  test("keeps what is no number for the API to refuse, and names kinds that nobody knows", () => {
    const { entries } = read("url,interval,type\na.test,often,\nb.test,,carrier pigeon\n");
    expect(entries[0]).toMatchObject({ checkInterval: "often" });
    expect(entries[1]).toMatchObject({ line: 3, problem: "import.kind" });
  });

  test("has the line of each entry also after cells of several lines", () => {
    const { entries } = read('name,url\n"a\nb",a.test\nc,c.test\n');
    expect(entries.map(({ line }) => line)).toEqual([2, 4]);
  });

  test.each([
    ["without a column of addresses", "name,port\nShop,80\n", "import.columns"],
    ["with a quote that never ends", 'name,url\n"Shop,a.test\n', "import.syntax"],
    ["with nothing but its head", "name,url\n", "import.empty"],
  ])("is refused %s", (_, content, code) => {
    expect(problemOf(content, "csv")).toBe(code);
  });
});
