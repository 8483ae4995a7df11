import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { openApiText } from "../../src/app/http/openapi-text.ts";
import { openStore } from "../../src/platform/database/open.ts";
import { findPostgres, type PostgresServer, startPostgres } from "./postgres.ts";

/** What a test needs to reach PostgreSQL: an address that starts it, or the reason why there is none. */
export type PostgresAccess = { startUrl: string } | { missing: string };

declare module "vitest" {
  interface ProvidedContext {
    postgres: PostgresAccess;
    /** Where SQLite's databases are made; what is left there goes with the run. */
    storeFolder: string;
    /** A migrated SQLite database in it, to be copied. */
    sqliteTemplate: string;
  }
}

const MISSING =
  "no PostgreSQL: neither initdb and postgres on the PATH or in /usr/lib/postgresql, nor the npm package";

/**
 * PostgreSQL starts when the first test requests it, so that a run of unit tests does not pay. The
 * answer to the request is the server's address; `vedette_template` in it is migrated already.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Every answer is compared with it (documented.ts).
  await openApiText();
  const storeFolder = mkdtempSync(join(tmpdir(), "vedette-stores-"));
  project.provide("storeFolder", storeFolder);
  const sqliteTemplate = join(storeFolder, "template.db");
  await (await openStore({ file: sqliteTemplate })).close();
  project.provide("sqliteTemplate", sqliteTemplate);
  const endPostgres = await offerPostgres(project);
  return async () => {
    rmSync(storeFolder, { recursive: true, force: true });
    await endPostgres();
  };
}

async function offerPostgres(project: TestProject): Promise<() => Promise<void>> {
  const binaries = findPostgres();
  if (!binaries) {
    if (process.env["VEDETTE_REQUIRE_POSTGRES"] === "1") throw new Error(MISSING);
    project.provide("postgres", { missing: MISSING });
    return async () => {};
  }
  let running: Promise<PostgresServer> | undefined;
  const desk = createServer((_request, response) => {
    running ??= startWithTemplate(binaries);
    running.then(
      (server) => response.end(server.url),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((resolve) => desk.listen(0, "127.0.0.1", resolve));
  project.provide("postgres", { startUrl: `http://127.0.0.1:${(desk.address() as AddressInfo).port}` });
  return async () => {
    desk.close();
    desk.closeAllConnections();
    await running?.then((server) => server.stop()).catch(() => {});
  };
}

async function startWithTemplate(binaries: string): Promise<PostgresServer> {
  const server = await startPostgres(binaries);
  const maintenance = await openPlain(`${server.url}/postgres`);
  await maintenance.query("create database vedette_template");
  await maintenance.end();
  const store = await openStore({ url: `${server.url}/vedette_template` });
  await store.close();
  return server;
}

async function openPlain(url: string) {
  const { Client } = (await import("pg")).default;
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}
