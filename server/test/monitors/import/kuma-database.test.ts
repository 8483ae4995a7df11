import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { FileProblem } from "../../../src/monitors/import/file-entry.ts";
import { readKumaDatabase, readSentDatabase } from "../../../src/monitors/import/kuma-database.ts";
import { isDatabase } from "../../../src/monitors/schemas/import-client.ts";
import { serve } from "../domains/factories.ts";
import { read } from "./read.ts";

/** The tables of Uptime Kuma 2, as far as an import reads them. */
const TABLES = `
  create table monitor (id integer primary key, name varchar(150), description text, parent integer,
    type varchar(20), active boolean not null default 1, url text, method text, hostname varchar(255), port integer,
    interval integer not null default 20, retry_interval integer not null default 0, timeout double default 0,
    maxretries integer not null default 0, ignore_tls boolean not null default 0, upside_down boolean not null default 0,
    maxredirects integer not null default 10, accepted_statuscodes_json text not null default '["200-299"]',
    dns_resolve_type varchar(5), dns_resolve_server varchar(255), push_token varchar(32),
    basic_auth_user text, basic_auth_pass text, auth_method varchar(250), expiry_notification boolean default 1,
    json_path text, json_path_operator varchar(255), expected_value varchar(255), conditions text not null default '[]',
    packet_size integer not null default 56, dns_last_result text, some_blob blob);
  create table tag (id integer primary key, name varchar(255), color varchar(255));
  create table monitor_tag (id integer primary key, monitor_id integer, tag_id integer, value text);
  create table notification (id integer primary key, name varchar(255), config text);
  create table heartbeat (id integer primary key, monitor_id integer, status smallint, msg text);`;

const MONITORS = `
  insert into monitor (id, name, type, hostname, conditions) values (1, 'EU', 'group', null, '[]');
  insert into monitor (id, name, description, parent, type, url, method, interval, retry_interval, maxretries, timeout,
    auth_method, basic_auth_user, basic_auth_pass, expiry_notification)
    values (2, 'Shop', 'Ada''s', 1, 'http', 'https://shop.test', 'GET', 60, 30, 2, 48, 'basic', 'me', 's3cret', 0);
  insert into monitor (id, name, type, hostname, port, active, packet_size)
    values (3, 'Router', 'ping', '10.0.0.1', null, 0, 1400);
  insert into monitor (id, name, type, hostname, dns_resolve_type, dns_resolve_server, conditions, some_blob) values
    (4, 'Name', 'dns', 'shop.test', 'A', '9.9.9.9',
     '[{"type":"expression","variable":"record","operator":"equals","value":"192.0.2.1"}]', x'00ff');
  insert into tag values (1, 'env', 'red'), (2, 'web', 'blue');
  insert into monitor_tag values (1, 2, 1, 'prod'), (2, 2, 2, '');
  insert into notification values (1, 'Mail', '{"secret": "canary-4711"}');`;

/** A database of these statements, and its path. */
function made(...statements: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "vedette-kuma-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "kuma.db");
  const database = new DatabaseSync(path);
  for (const statement of statements) database.exec(statement);
  database.close();
  return path;
}

const problemOf = async (path: string): Promise<string | undefined> => {
  try {
    return (await readKumaDatabase(path)).slice(0, 200);
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return Object.values(error.fields)[0]?.[0]?.code;
  }
};
const inBase64 = (path: string, pack = (bytes: Buffer) => bytes) =>
  pack(readFileSync(path)).toString("base64");

describe("the database of Uptime Kuma", () => {
  test("is read as its backup would be, without what is of no use", async () => {
    const text = await readKumaDatabase(made(TABLES, MONITORS));
    expect(text).not.toMatch(/canary-4711|pushToken|some_blob/i);
    const { format, notes, entries } = read(text);
    expect([format, notes]).toEqual(["kuma", ["import.notifications"]]);
    expect(entries).toMatchObject([
      { name: "EU", protocol: "group", protocolConfig: { members: [{ name: "Shop", key: "2" }] } },
      {
        ...{ kind: "domain", name: "Shop", description: "Ada's", url: "https://shop.test" },
        ...{ checkInterval: 60, timeout: 48, confirmations: 3, recheckDelay: 30 },
        ...{ authType: "basic", authConfig: { username: "me", password: "s3cret" } },
        assertions: [{ type: "status", codes: "200-299" }],
        tags: ["env: prod", "web", "EU"],
        notes: ["import.certificate_warning"],
      },
      { name: "Router", protocol: "icmp", enabled: false, notes: ["import.setting"] },
      {
        ...{ name: "Name", protocol: "dns" },
        protocolConfig: { hostname: "shop.test", recordType: "A", server: "9.9.9.9", expect: "192.0.2.1" },
      },
    ]);
  });

  test("may be one that was in use, with its log of changes beside it or without", async () => {
    const path = made("pragma journal_mode = wal", TABLES);
    const writer = new DatabaseSync(path);
    writer.exec("pragma wal_autocheckpoint = 0");
    writer.exec(MONITORS);
    expect(JSON.parse(await readKumaDatabase(path)).monitorList).toHaveLength(4);
    writer.close();
    const copy = made("create table x (y)");
    writeFileSync(copy, readFileSync(path));
    expect(JSON.parse(await readKumaDatabase(copy)).monitorList).toHaveLength(4);
    expect(readdirSync(join(copy, "..")).toSorted()).toEqual(["kuma.db"]);
  });

  test("of version 1 is read likewise", async () => {
    const path = made(
      "create table monitor (id integer primary key, name varchar(150), active boolean, interval integer, url text, type varchar(20))",
      "insert into monitor values (1, 'Old', 1, 20, 'https://old.test', 'http')",
    );
    expect(read(await readKumaDatabase(path)).entries).toMatchObject([{ name: "Old", checkInterval: 20 }]);
  });

  test("is sent as base64, packed or not, and nothing of it is left behind", async () => {
    const path = made(TABLES, MONITORS);
    for (const content of [inBase64(path), inBase64(path, gzipSync)]) {
      expect(isDatabase(content)).toBe(true);
      expect(JSON.parse(await readSentDatabase(content)).monitorList).toHaveLength(4);
    }
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("vedette-database-"))).toEqual([]);
    expect(isDatabase("https://a.test")).toBe(false);
  });
});

describe("a database that means harm", () => {
  const TABLE = "create table monitor (id integer primary key, name text, type text";
  test.each<[string, string[], string]>([
    ["has no monitors", ["create table users (id)"], "import.database"],
    [
      "shows a view for them",
      [
        "create view monitor as with recursive n (i) as (select 1 union all select i + 1 from n) select i as id, 'x' as name, 'http' as type from n",
      ],
      "import.database",
    ],
    [
      "computes them",
      [
        `${TABLE} generated always as (hex(zeroblob(100000000))) virtual)`,
        "insert into monitor (id, name) values (1, 'x')",
      ],
      "import.database",
    ],
    [
      "has them in a virtual table",
      ["create virtual table monitor using fts5(name, type)"],
      "import.database",
    ],
    [
      "has too many",
      [
        `${TABLE})`,
        "insert into monitor with recursive n (i) as (select 1 union all select i + 1 from n where i < 10001) select i, 'x', 'http' from n",
      ],
      "import.database_large",
    ],
    [
      "has too long texts",
      [`${TABLE})`, "insert into monitor values (1, hex(zeroblob(600000)), 'http')"],
      "import.database_damaged",
    ],
    [
      "has too much text",
      [
        `${TABLE})`,
        "insert into monitor with recursive n (i) as (select 1 union all select i + 1 from n where i < 100) select i, hex(zeroblob(20000)), 'http' from n",
      ],
      "import.database_large",
    ],
  ])("that %s is refused", async (_, statements, code) => {
    expect(await problemOf(made(...statements))).toBe(code);
  });

  test("has no column that is computed", async () => {
    const path = made(
      `${TABLE}, url text generated always as ('https://computed.test') stored)`,
      "insert into monitor (id, name, type) values (1, 'x', 'http')",
    );
    expect(await readKumaDatabase(path)).not.toContain("computed.test");
  });

  test("is refused where it is damaged, cut, no database, or packed to explode", async () => {
    const path = made(TABLES, MONITORS);
    const bytes = readFileSync(path);
    const spoilt = (change: (copy: Buffer) => Buffer) => {
      writeFileSync(path, change(Buffer.from(bytes)));
      return problemOf(path);
    };
    expect(await spoilt((copy) => copy.fill(0xff, 100, 600))).toBe("import.database_damaged");
    expect(await spoilt((copy) => copy.subarray(0, 5000))).toBe("import.database_damaged");
    expect(await spoilt(() => Buffer.from("SQLite format 3\0 and no more"))).toBe("import.database_damaged");
    const cut = gzipSync(bytes).subarray(0, 300).toString("base64");
    await expect(readSentDatabase(cut)).rejects.toMatchObject({
      fields: { content: [{ code: "import.database_damaged" }] },
    });
    const bomb = gzipSync(Buffer.alloc(1_000_001)).toString("base64");
    await expect(readSentDatabase(bomb, undefined, 1_000_000)).rejects.toMatchObject({
      fields: { content: [{ code: "import.database_large" }] },
    });
  }, 240_000);

  test("never ends the reader, whichever bytes of it are changed", async () => {
    const path = made(TABLES, MONITORS);
    const bytes = readFileSync(path);
    for (let seed = 1; seed <= 6; seed += 1) {
      const copy = Buffer.from(bytes);
      for (let at = (seed * 7919) % 997; at < copy.length; at += 997 + seed) copy[at] = (at * seed) & 0xff;
      writeFileSync(path, copy);
      expect(await problemOf(path)).toMatch(/^import\.|^\{/);
    }
  }, 240_000);
});

test("a database is imported by both families as any other file", async () => {
  const server = await serve({ engine: "sqlite" });
  const content = inBase64(made(TABLES, MONITORS), gzipSync);
  const dry = await server.api("POST", "/api/imports", { content });
  expect([dry.status, dry.body.data.format, dry.body.data.summary.create]).toEqual([200, "kuma", 4]);
  const run = await server.api("POST", "/v2/imports", { content, format: "kuma", dry_run: false });
  expect(run.body.data.summary).toMatchObject({ created: 4, invalid: 0 });
  const other = await server.api("POST", "/v2/imports", { content: inBase64(made("create table a (b)")) });
  expect([other.status, other.body.errors.content]).toEqual([
    422,
    ["This is no database of Uptime Kuma: it has no monitors in it."],
  ]);
});
