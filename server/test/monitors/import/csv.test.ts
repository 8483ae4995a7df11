import { describe, expect, test } from "vitest";
import { KNOWN_KINDS } from "../../../src/monitors/import/file-reader.ts";
import { readFile } from "../../../src/monitors/import/read-file.ts";
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

  test("keeps what is no number for the API to refuse, and names unknown kinds", () => {
    const { entries } = read("url,interval,type\na.test,often,\nb.test,,carrier pigeon\n");
    expect(entries[0]).toMatchObject({ checkInterval: "often" });
    expect(entries[1]).toMatchObject({ line: 3, problem: "import.kind" });
  });

  test("has the line of each entry also after cells of several lines", () => {
    const { entries } = read('name,url\n"a\nb",a.test\nc,c.test\n');
    expect(entries.map(({ line }) => line)).toEqual([2, 4]);
  });

  test("shows a line that cannot be read, and reads those after it", () => {
    const { entries } = read(
      'name,url\nA,a.test\n"B,b.test\n\nC,c.test\n"D" x,d.test\nE,e.test,more\nF,f.test,\n',
    );
    expect(entries).toEqual([
      { line: 2, kind: "domain", name: "A", url: "a.test" },
      { line: 3, kind: "domain", problem: "import.row" },
      { line: 5, kind: "domain", name: "C", url: "c.test" },
      { line: 6, kind: "domain", problem: "import.row" },
      { line: 7, kind: "domain", name: "E", problem: "import.cells" },
      { line: 8, kind: "domain", name: "F", url: "f.test" },
    ]);
    const long = read(`name,url\nA,a.test\nB,${"b".repeat(200_000)}\nC,c.test\n`);
    expect(long.entries).toMatchObject([
      { name: "A" },
      { line: 3, problem: "import.row_long" },
      { name: "C" },
    ]);
  });

  test("is refused where nearly nothing of it can be read", () => {
    expect(problemOf(`name,url\n${'"A" x,a.test\n'.repeat(50)}`)).toBe("import.syntax");
  });

  test("is known by the names that people give their columns, and is no list of addresses without them", () => {
    expect(read("Name,Website,Interval\nShop,https://shop.test,60\n")).toMatchObject({
      format: "csv",
      entries: [{ line: 2, name: "Shop", url: "https://shop.test", checkInterval: 60 }],
    });
    for (const content of [
      "Service,Owner,Interval\nShop,Ada,60\n",
      "Service;Owner\nShop;Ada\n",
      "a,b\n1,2\n",
    ])
      expect(problemOf(content)).toBe("import.columns");
    expect(read("https://a.test/?x=1,2\nb.test/a;b\n").format).toBe("urls");
    expect(read("Name,URL,Domain\nShop,a.test,b.test\n")).toMatchObject({
      notes: ["Domain"],
      entries: [{ url: "a.test" }],
    });
  });

  test("has intervals and timeouts within bounds, and says so", () => {
    const { entries } = read("url,interval,timeout,description\na.test,5,90,Ada's\nb.test,999999,2.5,\n");
    expect(entries).toMatchObject([
      { checkInterval: 10, timeout: 9, description: "Ada's", notes: ["import.changed", "import.changed"] },
      { checkInterval: 86_400, timeout: 3, notes: ["import.changed", "import.changed"] },
    ]);
  });

  test.each([
    ["yes", true],
    ["否", false],
    ["maybe", "maybe"],
  ])("takes %s for enabled: %s", (cell, enabled) => {
    expect(read(`url,enabled\na.test,${cell}\n`).entries[0]).toMatchObject({ enabled });
  });

  test("names what of a line has no place in its monitor", () => {
    const content =
      "url,method,keyword,port,\na.test:5432,POST,ok,5432,\nhttps://b.test,POST,ok,8443,more\nhttps://c.test/,POST,ok,443,\n";
    const { entries } = readFile({ content, variables: {}, format: "csv", kinds: KNOWN_KINDS });
    expect(entries.map(({ notes }) => notes.map(({ params }) => params?.["setting"]))).toEqual([
      ["method", "keyword"],
      ["port", "#5"],
      [],
    ]);
  });

  test.each([
    ["without a column of addresses", "name,port\nShop,80\n", "import.columns"],
    ["with nothing but its head", "name,url\n", "import.empty"],
  ])("is refused %s", (_, content, code) => {
    expect(problemOf(content, "csv")).toBe(code);
  });
});
