import { expect, it, onTestFinished } from "vitest";
import { eventually } from "../../harness/eventually.ts";
import { runCommand, startServerProcess, temporaryFolder } from "../../harness/process.ts";
import { createTestDatabase, eachEngine } from "../../harness/stores.ts";

const OWNER = ["--email", "owner@vedette.test"];
const PASSWORD = ["--password", "correct horse battery"];

eachEngine("vedette user, key and plan", (engine) => {
  /** `vedette …` on a fresh installation. */
  async function installation() {
    const { folder, remove } = temporaryFolder();
    onTestFinished(remove);
    const database = await createTestDatabase(engine, { empty: true });
    onTestFinished(() => database.remove());
    const environment: Record<string, string> =
      "url" in database.location ? { DATABASE_URL: database.location.url } : {};
    return {
      start: () => startServerProcess(folder, environment),
      vedette: (...args: string[]) => runCommand([...args, "--data", folder], environment),
    };
  }

  it("work while the server runs: a new key is good at once, a new plan counts at once", async () => {
    const { start, vedette } = await installation();
    const server = await start();
    onTestFinished(async () => void (await server.stop()));
    const user = await vedette("user", "create", ...OWNER, ...PASSWORD, "--organization", "Harbour");
    expect(user).toMatchObject({ code: 0, stderr: "" });
    expect(user.stdout).toBe("Created owner@vedette.test in organization harbour.\n");
    const key = await vedette("key", "create", ...OWNER, "--scopes", "read:domains");
    expect(key.stdout).toMatch(/^vdt_[\w-]{43}\n$/);
    const statusOf = async (path: string) =>
      (await fetch(server.url + path, { headers: { authorization: `Bearer ${key.stdout.trim()}` } })).status;
    expect(await statusOf("/v2/domains")).toBe(200);
    expect(await statusOf("/api/dashboard/stats")).toBe(403);
    const plan = await vedette("plan", "harbour", "free", "--no-reports");
    expect(plan.stdout).toBe("harbour is on free.\n");
    expect(await statusOf("/v2/domains")).toBe(403);
    expect(await statusOf("/api/domains")).toBe(200);
    expect((await vedette("plan", "harbour", "pro", "--reports")).stdout).toBe(
      "harbour is on pro with reports.\n",
    );
  });

  it("let the person who runs the machine see who has an account, and let a person in again", async () => {
    const { start, vedette } = await installation();
    const server = await start();
    onTestFinished(async () => void (await server.stop()));
    await vedette("user", "create", ...OWNER, ...PASSWORD, "--name", "Ada", "--organization", "Harbour");
    await vedette("user", "create", "--email", "b@vedette.test", ...PASSWORD, "--organization", "Harbour");
    expect((await vedette("user", "list")).stdout).toBe(
      "b@vedette.test      b    password  harbour (member)\n" +
        "owner@vedette.test  Ada  password  harbour (owner)\n",
    );
    const [, ada] = JSON.parse((await vedette("user", "list", "--json")).stdout);
    expect(ada).toMatchObject({ name: "Ada", twoFactor: false, organizations: [{ role: "owner" }] });

    const signIn = (password: string) =>
      fetch(`${server.url}/api/auth/sign-in`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email: "owner@vedette.test", password }),
      });
    const cookie = (await signIn("correct horse battery")).headers.get("set-cookie")?.split(";")[0] as string;
    const me = async () => (await fetch(`${server.url}/api/auth/me`, { headers: { cookie } })).status;
    expect(await me()).toBe(200);
    const { stdout } = await vedette("user", "reset-password", ...OWNER);
    const made =
      /^The password of owner@vedette\.test is changed\. It is now: (\S+)\n$/.exec(stdout)?.[1] ?? "";
    expect([await me(), (await signIn("correct horse battery")).status]).toEqual([401, 422]);
    expect((await signIn(made)).status).toBe(200);
    const chosen = await vedette("user", "reset-password", ...OWNER, "--password", "a lamp in every window");
    expect(chosen.stdout).toBe("The password of owner@vedette.test is changed.\n");
    expect((await signIn("a lamp in every window")).status).toBe(200);
    expect((await vedette("user", "disable-2fa", ...OWNER)).stdout).toMatch(/with the password alone/);
    for (const refused of [
      await vedette("user", "reset-password", "--email", "nobody@vedette.test"),
      await vedette("user", "reset-password", ...OWNER, "--password", "short"),
      await vedette("user", "disable-2fa", "--email", "nobody@vedette.test"),
    ]) {
      expect([refused.code, refused.stdout]).toEqual([1, ""]);
      expect(refused.stderr).toMatch(/^vedette: [^\n]+\n$/);
    }
  });

  it("say in one line what is wrong", async () => {
    const { vedette } = await installation();
    const short = await vedette("user", "create", ...OWNER, "--password", "short");
    expect(short.code).toBe(1);
    expect(short.stderr).toMatch(/^vedette: .*password.*\n$/i);
    const noAccount = await vedette("key", "create", "--email", "nobody@vedette.test");
    expect(noAccount).toMatchObject({ code: 1, stdout: "" });
    expect(noAccount.stderr).toMatch(/^vedette: [^\n]+\n$/);
    const unknown = await vedette("plan", "nowhere", "pro");
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toMatch(/^vedette: [^\n]+\n$/);
    const plan = await vedette("plan", "nowhere", "gold");
    expect(plan.stderr).toMatch(/^vedette: [^\n]*(free|expert)[^\n]*\n$/);
  });
});

eachEngine("vedette jobs", (engine) => {
  it("says when a server last did what it does by itself, also when none has yet", async () => {
    const { folder, remove } = temporaryFolder();
    onTestFinished(remove);
    const database = await createTestDatabase(engine, { empty: true });
    onTestFinished(() => database.remove());
    const environment: Record<string, string> =
      "url" in database.location ? { DATABASE_URL: database.location.url } : {};
    const jobs = (...args: string[]) => runCommand(["jobs", ...args, "--data", folder], environment);
    expect(await jobs()).toEqual({ code: 0, stdout: "No job has run yet: start the server.\n", stderr: "" });
    const server = await startServerProcess(folder, environment);
    onTestFinished(async () => void (await server.stop()));
    const { stdout } = await eventually(jobs, (ran) => ran.stdout.includes("deliver-messages"), 30_000);
    expect(stdout).toMatch(/^deliver-messages +every 1 s +last 20\d\d-\d\d-\d\dT[\d:.]+Z +\d+ ms +ok$/m);
    expect(JSON.parse((await jobs("--json")).stdout)).toContainEqual({
      ...{ name: "deliver-messages", everyMs: 1_000, failure: null },
      ...{ lastRunAt: expect.any(String), tookMs: expect.any(Number) },
    });
  });
});
