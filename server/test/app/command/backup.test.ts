import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runCommand, startServerProcess, temporaryFolder } from "../../harness/process.ts";
import { createTestDatabase, eachEngine } from "../../harness/stores.ts";

const OWNER = ["--email", "owner@vedette.test", "--password", "correct horse battery"];

/** A key deletes itself. */
async function deleteKey(url: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const { data } = (await (await fetch(`${url}/api-keys`, { headers })).json()) as {
    data: { id: number; prefix: string }[];
  };
  const own = data.find(({ prefix }) => key.startsWith(prefix));
  const answer = await fetch(`${url}/api-keys/${own?.id}`, { method: "DELETE", headers });
  expect(answer.status).toBe(200);
}

eachEngine("vedette backup, restore and migrate", (engine) => {
  it("bring everything back to where it was, backed up while the server ran", async () => {
    const { folder, remove } = temporaryFolder();
    onTestFinished(remove);
    const database = await createTestDatabase(engine, { empty: true });
    onTestFinished(() => database.remove());
    const environment: Record<string, string> =
      "url" in database.location ? { DATABASE_URL: database.location.url } : {};
    const vedette = (...args: string[]) => runCommand([...args, "--data", folder], environment);
    const file = join(folder, "copy.vedette");

    expect(await vedette("migrate")).toMatchObject({ code: 0, stdout: "The database is up to date.\n" });
    const server = await startServerProcess(folder, environment);
    onTestFinished(async () => void (await server.stop()));
    await vedette("user", "create", ...OWNER);
    const key = (await vedette("key", "create", "--email", "owner@vedette.test")).stdout.trim();
    const leaked = (await vedette("key", "create", "--email", "owner@vedette.test", "--name", "Leaked"))
      .stdout;
    const [email, password] = [OWNER[1], OWNER[3]];
    const signedIn = await fetch(`${server.url}/api/auth/sign-in`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email, password }),
    });
    const cookie = /vedette_session=[^;]*/.exec(signedIn.headers.get("set-cookie") ?? "")?.[0] ?? "";
    const backup = await vedette("backup", file);
    await deleteKey(server.url, leaked.trim());
    expect(backup).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Wrote .+\nKeep .+secret\.key as well/),
    });

    const busy = await vedette("restore", file);
    expect(busy.code).toBe(1);
    expect(busy.stderr).toMatch(/^vedette: (Another Vedette|A Vedette server) is running [^\n]+\n$/);
    await server.stop();

    await vedette("user", "create", "--email", "late@vedette.test", "--password", "correct horse battery");
    const restored = await vedette("restore", file);
    expect(restored).toMatchObject({ code: 0, stderr: "" });
    expect(restored.stdout.replace(file, "FILE")).toBe(
      "Restored FILE. All sessions have ended: everybody signs in again.\n" +
        "These API keys work again, though they were deleted or had expired:\n" +
        `  owner: ${leaked.slice(0, 12)}… (Leaked)\n`,
    );
    expect((await vedette("key", "create", "--email", "late@vedette.test")).code).toBe(1);
    const again = await startServerProcess(folder, environment);
    onTestFinished(async () => void (await again.stop()));
    const answer = await fetch(`${again.url}/api/domains`, { headers: { authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(200);
    expect((await fetch(`${again.url}/api/auth/me`, { headers: { cookie } })).status).toBe(401);
  });

  it("leave everything as it was when the file is not a whole backup", async () => {
    const { folder, remove } = temporaryFolder();
    onTestFinished(remove);
    const database = await createTestDatabase(engine, { empty: true });
    onTestFinished(() => database.remove());
    const environment: Record<string, string> =
      "url" in database.location ? { DATABASE_URL: database.location.url } : {};
    const vedette = (...args: string[]) => runCommand([...args, "--data", folder], environment);
    await vedette("user", "create", ...OWNER);
    const file = join(folder, "damaged");
    writeFileSync(file, "not a backup");
    const refused = await vedette("restore", file);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/^vedette: [^\n]+\n$/);
    expect((await vedette("key", "create", "--email", "owner@vedette.test")).code).toBe(0);
  });
});
