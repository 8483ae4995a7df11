import { describe, expect, it, onTestFinished } from "vitest";
import { status } from "../../harness/behaviours.ts";
import { runCommand } from "../../harness/process.ts";
import { startHttpTarget } from "../../harness/targets.ts";

async function target(handler?: ReturnType<typeof status>) {
  const started = await startHttpTarget({ handler });
  onTestFinished(() => started.close());
  return started;
}

describe("vedette check", () => {
  it("draws where the time went and exits 0 when all is well, without colours in a pipe", async () => {
    const { url } = await target();
    const { code, stdout } = await runCommand(["check", url]);
    expect(code).toBe(0);
    for (const word of ["Connect", "First byte", "Total", "Status      200", "Up."])
      expect(stdout).toContain(word);
    expect(stdout).not.toContain("\u001b[");
  });

  it("exits 1 and says why when it failed", async () => {
    const { url } = await target(status(500));
    const { code, stdout } = await runCommand(["check", url]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/Down: .*500/);
  });

  it("prints the outcome as JSON for scripts", async () => {
    const { url } = await target();
    const { stdout } = await runCommand(["check", url, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ verdict: "ok", statusCode: 200, address: "127.0.0.1" });
  });

  it("refuses what is no address, and a timeout out of range", async () => {
    expect(await runCommand(["check", "ftp://example.com"])).toMatchObject({
      code: 1,
      stderr: "vedette: The url must start with http:// or https://.\n",
    });
    expect((await runCommand(["check", "http://127.0.0.1/", "--timeout", "0"])).stderr).toMatch(/--timeout/);
  });
});
