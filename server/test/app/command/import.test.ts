import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { runCommand } from "../../harness/process.ts";
import { startTestServer } from "../../harness/server.ts";

async function setUp() {
  const server = await startTestServer({ engine: "sqlite" });
  onTestFinished(server.close);
  const folder = mkdtempSync(join(tmpdir(), "vedette-import-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const fileOf = (content: string | Uint8Array, name = "monitors.txt") => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const run = (args: string[], environment: Record<string, string> = {}) =>
    runCommand([...args, "--server", server.url], { VEDETTE_TOKEN: server.key, ...environment });
  return { server, fileOf, run };
}

test("vedette import shows what would be made, and makes it only on demand", async () => {
  const { server, fileOf, run } = await setUp();
  const file = fileOf("name,url\nBüro,a.test\n\u001b[31mRed,b.test\nBad,not a url\n");
  const dry = await run(["import", file, "--dry-run"]);
  expect([dry.code, dry.stderr]).toEqual([1, ""]);
  expect(dry.stdout).toContain("2  new      http  Büro");
  expect(dry.stdout).toContain("url: The url must not contain");
  expect(dry.stdout).toContain("1 to create, 2 that cannot be imported.");
  expect(dry.stdout).not.toContain("\u001b");
  const unsaid = await run(["import", file]);
  expect([unsaid.code, unsaid.stderr]).toEqual([1, expect.stringContaining("Add --yes")]);
  expect((await server.api("GET", "/api/domains")).body.data).toEqual([]);
  const made = await run(["import", file, "--yes"]);
  expect(made.stdout).toContain("1 created, 2 that cannot be imported.");
  expect((await server.api("GET", "/api/domains")).body.data).toHaveLength(1);
});

test("vedette import takes values from --set and, with the flag for it, from the environment", async () => {
  const { fileOf, run } = await setUp();
  const file = fileOf(
    "endpoints:\n  - name: A\n    url: https://a.test\n    headers: {X-One: '${ONE}', X-Two: '${TWO}'}\n    conditions: ['[STATUS] == 200']\n",
  );
  const ran = await run(["import", file, "--json", "--dry-run", "--set", "ONE=1"], { TWO: "2" });
  expect([ran.code, JSON.parse(ran.stdout)]).toEqual([1, expect.objectContaining({ missing: ["TWO"] })]);
  const args = ["import", file, "--json", "--yes", "--set", "ONE=1", "--env"];
  const { code, stdout } = await run(args, { TWO: "2" });
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    expect.objectContaining({ dryRun: false, summary: expect.objectContaining({ created: 1 }) }),
  ]);
});

test("vedette import ends with 2 where a monitor is imported without something that the file says", async () => {
  const { fileOf, run } = await setUp();
  const endpoint = (more: string) =>
    `endpoints:\n  - name: A\n    url: https://a.test\n${more}    conditions: ['[STATUS] == 200']\n`;
  const whole = await run(["import", fileOf(endpoint("")), "--dry-run"]);
  expect([whole.code, whole.stdout]).toEqual([0, expect.stringContaining("1 to create.")]);
  const noted = await run(["import", fileOf(endpoint("    ui: {hide-url: true}\n")), "--yes"]);
  expect(noted.stdout).toContain("ui is not imported.");
  expect(noted.stdout).toContain("1 created, 1 not with everything that the file says.");
  expect(noted.code).toBe(2);
  const alerting = await run([
    "import",
    fileOf(`alerting: {slack: {}}\nremote: {a: 1}\n${endpoint("")}`),
    "--dry-run",
  ]);
  expect([alerting.code, alerting.stdout]).toEqual([0, expect.stringContaining("remote is not imported.")]);
  const suites = fileOf(`${endpoint("")}suites:\n  - name: B\n`);
  const refused = await run(["import", suites, "--dry-run"]);
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining("cannot be imported")]);
});

test("vedette import reads the database of Uptime Kuma in place, and sends its monitors only", async () => {
  const { server, fileOf, run } = await setUp();
  const path = fileOf("", "kuma.db");
  const database = new DatabaseSync(path);
  database.exec(`create table monitor (id integer primary key, name text, type text, url text, expiry_notification integer);
    insert into monitor values (1, 'Shop', 'http', 'https://shop.test', 1);
    create table heartbeat (id integer primary key, msg text)`);
  database.exec("insert into heartbeat (msg) values (hex(randomblob(900000)))");
  database.close();
  const made = await run(["import", path, "--yes"]);
  expect([made.code, made.stderr]).toEqual([0, ""]);
  expect((await server.api("GET", "/api/domains")).body.data).toMatchObject([{ name: "Shop" }]);
  const other = fileOf("SQLite format 3\0 and no more", "other.db");
  expect(await run(["import", other])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("This database cannot be read."),
  });
});

test("vedette export writes a file that vedette import finds to be there already", async () => {
  const { server, fileOf, run } = await setUp();
  await server.api("POST", "/api/domains", { url: "https://a.test" });
  const file = fileOf("");
  expect((await run(["export", file])).stdout).toBe(`Wrote ${file}.\n`);
  const again = await run(["import", file]);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("1 already there.")]);
});

test("vedette import reads what a spreadsheet writes in western Europe", async () => {
  const { fileOf, run } = await setUp();
  const file = fileOf(Buffer.from("Name;URL\r\nB\u00fcro;a.test\r\n", "latin1"), "liste.csv");
  expect((await run(["import", file, "--dry-run"])).stdout).toContain("Büro");
});

test("vedette import says what to do without a key, a server, or a file", async () => {
  const { fileOf, run } = await setUp();
  const file = fileOf("a.test\n");
  const stderrOf = async (args: string[], environment = {}) => (await run(args, environment)).stderr;
  expect(await stderrOf(["import", file], { VEDETTE_TOKEN: "" })).toBe(
    "vedette: An API key is needed: set VEDETTE_TOKEN, or use --token.\n",
  );
  expect(await stderrOf(["import", file, "--token", "vdt_wrong"])).toBe("vedette: Unauthenticated.\n");
  expect(await stderrOf(["import", fileOf("lorem ipsum\n")])).toContain("not recognised");
  const away = await runCommand(["export", "--token", "x", "--server", "http://127.0.0.1:1"]);
  expect([away.code, away.stderr]).toEqual([
    1,
    expect.stringContaining("http://127.0.0.1:1 cannot be reached"),
  ]);
});
