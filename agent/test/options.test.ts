import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { OptionError, readOptions } from "../src/options.ts";

function fileOf(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "vedette-agent-options-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "agent.conf");
  writeFileSync(path, text);
  return path;
}

it("takes the command line before the environment, and that before the file", () => {
  const config = fileOf("# ours\nserver = https://file.example\ntoken = of-file\ndata = /file\n");
  const env = { VEDETTE_AGENT_TOKEN: "of-environment", VEDETTE_AGENT_DATA: "/environment" };
  const options = readOptions(["--config", config, "--data", "/line"], env);
  expect(options).toMatchObject({ command: "run", token: "of-environment", data: "/line" });
  expect(options.server?.href).toBe("https://file.example/");
});

it("keeps the path of a server that is not at the root of its host", () => {
  const { server } = readOptions(["--server", "https://example.com/vedette"], {});
  expect(new URL("api/agent/report", server ?? "").href).toBe("https://example.com/vedette/api/agent/report");
});

it("takes an address without a scheme as https", () => {
  expect(readOptions(["--server", "status.example.com:8443"], {}).server?.href).toBe(
    "https://status.example.com:8443/",
  );
});

it.each([
  [[], {}, /where the server is/],
  [["--server", "ftp://example.com"], {}, /https:\/\/ or http:\/\//],
  [["--server", "https://"], {}, /no address/],
  [["--colour"], {}, /colour/],
  [["twice"], {}, /no command "twice"/],
  [["--config", "/nowhere/agent.conf"], {}, /agent\.conf cannot be read/],
])("says what is wrong with %j", (args, env, message) => {
  expect(() => readOptions(args, env)).toThrow(message);
  expect(() => readOptions(args, env)).toThrow(OptionError);
});

it("names the line of the file that it does not know", () => {
  const config = fileOf("server = https://example.com\ntokn = x\n");
  expect(() => readOptions(["--config", config], {})).toThrow(/line 2: there is no option "tokn"/);
});

it("exits for a revoked token only where configured", () => {
  expect(readOptions(["--server", "a.example"], {}).exitOnRevoke).toBe(false);
  expect(readOptions(["--server", "a.example", "--exit-on-revoke"], {}).exitOnRevoke).toBe(true);
  expect(readOptions(["--server", "a.example"], { VEDETTE_AGENT_EXIT_ON_REVOKE: "no" }).exitOnRevoke).toBe(
    false,
  );
});
