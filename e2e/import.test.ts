import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { callApi, shareInstallation } from "./harness/installation.ts";
import { faultsInEveryLook } from "./harness/looks.ts";

const app = shareInstallation();

/** The monitors of a database of Uptime Kuma, by these statements. */
function databaseOf(...statements: string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "vedette-e2e-"));
  const path = join(folder, "kuma.db");
  const database = new DatabaseSync(path);
  database.exec(
    "create table monitor (id integer, name text, type text, url text, interval integer, active integer, packet_size integer, description text, hostname text)",
  );
  for (const statement of statements) database.exec(statement);
  database.close();
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true });
  return bytes;
}

const BACKUP = {
  version: "1.23.16",
  notificationList: [{ id: 1 }],
  monitorList: [
    { type: "http", name: "Kuma shop", url: "http://127.0.0.1:1/", interval: 60, active: false },
    { type: "docker", name: "Container" },
    { type: "ping", name: "Kuma router", hostname: "127.0.0.1", interval: 60, active: false },
  ],
};

test("monitors are imported from what is pasted and from a file, after a preview that says what becomes of each", async () => {
  const page = await app.open();
  await page.goto("/domains");
  await page.getByRole("link", { name: "Import" }).click();
  await page.getByRole("heading", { name: "Import" }).waitFor();
  const preview = page.getByRole("button", { name: "Preview" });
  expect(await preview.isDisabled()).toBe(true);

  const box = page.getByLabel("Addresses, or the content of a file");
  await box.fill(
    "name,url,enabled\nPasted,http://127.0.0.1:1/a,no\nBad,not a url,\nGate,127.0.0.1:1,no\nPasted,http://127.0.0.1:1/a,no\n",
  );
  await preview.click();
  // The first file waits for the thread that reads files.
  await page.getByRole("button", { name: "Import 2 monitors" }).waitFor({ timeout: 40_000 });
  const result = page.getByLabel("What becomes of the file");
  await result.getByText("The same is on line 2 of this file.").waitFor();
  await result.getByText("A URL has no spaces in it.").waitFor();
  expect(await callApi(page, "GET", "/api/domains")).toEqual([]);
  await page.getByRole("button", { name: "Cannot be imported 1" }).click();
  expect(await result.getByRole("listitem").count()).toBe(1);
  await page.getByRole("button", { name: "Cannot be imported 1" }).click();
  expect(await faultsInEveryLook(page, "import", true)).toEqual([]);
  await page.getByRole("button", { name: "Import 2 monitors" }).click();
  await page.getByText("2 monitors imported.").waitFor();

  await page.locator("input[type=file]").setInputFiles({
    name: "backup.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify(BACKUP)),
  });
  await page.getByText("monitors imported").waitFor({ state: "detached" });
  await preview.click();
  await result.getByText("Notifications are not imported", { exact: false }).waitFor();
  await result.getByText("Vedette has no kind of check called docker.").waitFor();
  await result.getByText("Ping (ICMP) · 127.0.0.1").waitFor();
  await page.getByRole("button", { name: "Import 2 monitors" }).click();
  await page.getByText("2 monitors imported.").waitFor();
  expect(await result.getByRole("link").allTextContents()).toEqual([
    "Show domains",
    "Show services",
    "Kuma shop",
    "Kuma router",
  ]);
  await page.getByRole("link", { name: "Show domains" }).click();
  await page.getByRole("link", { name: "Kuma shop" }).waitFor();
  await page.getByRole("link", { name: "Pasted" }).waitFor();
});

test("a database of Uptime Kuma is chosen as any file, and what it says in vain can be listed", async () => {
  const page = await app.open();
  await page.goto("/import");
  await page.locator("input[type=file]").setInputFiles({
    name: "kuma.db",
    mimeType: "application/vnd.sqlite3",
    buffer: databaseOf(
      "insert into monitor values (1, 'From a database', 'http', 'http://127.0.0.1:1/', 60, 0, 56, 'Ada looks after it.', null)",
      "insert into monitor values (2, 'Router', 'ping', null, 5, 0, 1400, null, '127.0.0.1')",
      "insert into monitor values (3, 'Nowhere', 'ping', null, 60, 0, 56, null, null)",
    ),
  });
  await page.getByText("Database kuma.db", { exact: false }).waitFor();
  await page.getByRole("button", { name: "Preview" }).click();
  const result = page.getByLabel("What becomes of the file");
  await result.getByText("Check interval becomes 10 instead of 5.").waitFor({ timeout: 40_000 });
  await result.getByText("packetSize is not imported.").waitFor();
  await page.getByRole("button", { name: "With remarks 1" }).click();
  expect(await result.getByRole("listitem").count()).toBe(1);
  await page.getByRole("button", { name: "Cannot be imported 1" }).click();
  await result.getByText("Host: ", { exact: false }).waitFor();
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByLabel("Addresses, or the content of a file").waitFor();
});

test("what has been imported leads to its own page, as a heartbeat's job needs its new address", async () => {
  const page = await app.open();
  await page.goto("/import");
  const monitorList = [{ type: "push", name: "Nightly job", interval: 3600, pushToken: "old" }];
  await page.getByLabel("Addresses, or the content of a file").fill(JSON.stringify({ monitorList }));
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByRole("button", { name: "Import 1 monitor" }).click();
  await page.getByRole("link", { name: "Nightly job" }).click();
  await page.getByRole("heading", { name: "Address for heartbeats" }).waitFor();
});

test("a file that leaves values to be filled in has a form for them, and one that cannot be read says why", async () => {
  const page = await app.open();
  await page.goto("/import");
  const box = page.getByLabel("Addresses, or the content of a file");
  const preview = page.getByRole("button", { name: "Preview" });
  await box.fill(
    "vedette: 1\ndomains:\n  - {url: a.test, authType: bearer, authConfig: {token: '${TOKEN}'}}\n",
  );
  await preview.click();
  await page.getByText("A value is needed for TOKEN.").waitFor();
  await page.getByLabel("TOKEN").fill("secret");
  await page.getByRole("button", { name: "Fill in" }).click();
  await page.getByRole("button", { name: "Import 1 monitor" }).waitFor();
  await box.fill("vedette: 1\ndomains: [\n");
  await preview.click();
  await page.getByText("This is not valid YAML: line", { exact: false }).waitFor();
});

test("hundreds of lines are imported, with progress to see, and can be exported", async () => {
  const page = await app.open();
  await page.goto("/import");
  const lines = Array.from({ length: 300 }, (_, at) => `m${at},http://127.0.0.1:1/${at},no`).join("\n");
  await page.getByLabel("Addresses, or the content of a file").fill(`name,url,enabled\n${lines}\n`);
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByRole("button", { name: "Import 300 monitors" }).click();
  await page
    .getByRole("status")
    .filter({ hasText: /of 300/ })
    .waitFor();
  await page.getByText("300 monitors imported.").waitFor({ timeout: 120_000 });
  await page.goto("/domains");
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export" }).click();
  expect((await download).suggestedFilename()).toMatch(/^vedette-.*\.yaml$/);
});
