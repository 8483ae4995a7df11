import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { testCa } from "../../harness/certificates.ts";
import {
  runCommand,
  type ServerProcess,
  startServerProcess,
  temporaryFolder,
} from "../../harness/process.ts";
import { createTestDatabase, type EngineName } from "../../harness/stores.ts";

export interface Installation {
  server: ServerProcess;
  /** The environment every command on this installation needs. */
  environment: Record<string, string>;
  folder: string;
  /** GET, or another method with a body; fails the test on an unexpected status. */
  call(path: string, options?: { method?: string; body?: unknown; expect?: number }): Promise<Answer>;
}

// biome-ignore lint/suspicious/noExplicitAny: a story looks into many shapes
export type Answer = any;

/** A whole installation as its owner has it: the program started as a process, an owner and a key made by its own commands. */
export async function install(engine: EngineName): Promise<Installation> {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const database = await createTestDatabase(engine);
  onTestFinished(() => database.remove());
  const ca = join(folder, "ca.pem");
  writeFileSync(ca, (await testCa()).pem);
  const url: Record<string, string> =
    "url" in database.location ? { DATABASE_URL: database.location.url } : {};
  const environment = { NODE_EXTRA_CA_CERTS: ca, ...url };
  const server = await startServerProcess(folder, environment);
  onTestFinished(async () => void (await server.stop()));
  const key = await createOwner(folder, environment);
  return {
    server,
    environment,
    folder,
    async call(path, options = {}) {
      const method = options.method ?? "GET";
      const response = await fetch(server.url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
      });
      const answer = (await response.json()) as Answer;
      const expected = options.expect ?? (method === "POST" ? 201 : 200);
      if (response.status !== expected) {
        throw new Error(
          `${method} ${path}: ${response.status} instead of ${expected}: ${JSON.stringify(answer)}`,
        );
      }
      return answer;
    },
  };
}

async function createOwner(folder: string, environment: Record<string, string>): Promise<string> {
  const owner = ["--email", "owner@vedette.test", "--data", folder];
  const user = await runCommand(
    ["user", "create", "--password", "correct horse battery", ...owner],
    environment,
  );
  if (user.code !== 0) throw new Error(user.stderr);
  const key = await runCommand(["key", "create", ...owner], environment);
  if (key.code !== 0) throw new Error(key.stderr);
  return key.stdout.trim();
}
