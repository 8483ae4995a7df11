import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { formatRuntime } from "../src/i18n/format.ts";
import {
  HEARTBEAT_PLACES,
  type HeartbeatPlace,
  heartbeatLines,
} from "../src/monitors/service/heartbeat-lines.ts";

const ADDRESS = "https://vedette.example.com/api/heartbeats/42/a-token-of-the-right-length";
const job = { address: ADDRESS, cron: "*/10 * * * *", timeZone: "Europe/Berlin" };

/** What curl would request, with a job that ends like this, by whichever shell runs the lines. */
function requestedBy(lines: string, exitCode: number, environment: Record<string, string> = {}): string[] {
  const script = lines
    .replaceAll("/usr/local/bin/backup.sh", `(exit ${exitCode})`)
    .replaceAll("/usr/bin/curl", "curl");
  const fake = 'curl() { for last; do :; done; echo "$last"; }';
  const given = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  return execFileSync("sh", ["-c", [fake, ...given, script].join("\n")], { encoding: "utf8" })
    .trim()
    .split("\n");
}

test.each([0, 3])("a shell reports the start, and the exit code %i", (code) => {
  expect(requestedBy(heartbeatLines("shell", job), code)).toEqual([`${ADDRESS}/start`, `${ADDRESS}/${code}`]);
});

test("cron runs the command at the monitor's times and reports its exit code", () => {
  const [zone, line = ""] = heartbeatLines("cron", job).split("\n");
  expect(zone).toBe("CRON_TZ=Europe/Berlin");
  expect(line.startsWith("*/10 * * * * ")).toBe(true);
  // What follows a percent sign cron takes for input.
  expect(line).not.toContain("%");
  expect(requestedBy(line.slice("*/10 * * * * ".length), 7)).toEqual([`${ADDRESS}/7`]);
});

test("systemd reports the exit code, and of a signal that it failed", () => {
  const unit = heartbeatLines("systemd", job);
  const stop = /ExecStopPost=-\/bin\/sh -c '(.*)'/.exec(unit)?.[1]?.replaceAll("$$", "$") ?? "";
  expect(requestedBy(stop, 0, { EXIT_CODE: "exited", EXIT_STATUS: "3" })).toEqual([`${ADDRESS}/3`]);
  expect(requestedBy(stop, 0, { EXIT_CODE: "killed", EXIT_STATUS: "TERM" })).toEqual([`${ADDRESS}/fail`]);
});

const ANALYZE = "systemd-analyze";

test.skipIf(spawnSync(ANALYZE, ["--version"]).error !== undefined)("systemd reads its unit", () => {
  const folder = mkdtempSync(join(tmpdir(), "unit-"));
  try {
    const path = join(folder, "backup.service");
    writeFileSync(path, heartbeatLines("systemd", job).replace("/usr/local/bin/backup.sh", "/bin/true"));
    const { stderr, status } = spawnSync(ANALYZE, ["verify", "--man=no", path], {
      encoding: "utf8",
    });
    expect([status, stderr.split("\n").filter((line) => line.includes("backup.service"))]).toEqual([0, []]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("GitHub Actions and Kubernetes read their YAML", () => {
  const [step] = parse(heartbeatLines("github", job));
  expect(step).toMatchObject({ if: "always()", env: { HEARTBEAT_URL: "${{ secrets.HEARTBEAT_URL }}" } });
  expect(requestedBy(step.run, 0, { HEARTBEAT_URL: ADDRESS, RESULT: "fail" })).toEqual([`${ADDRESS}/fail`]);
  const { kind, spec } = parse(heartbeatLines("kubernetes", job));
  expect([kind, spec.schedule, spec.timeZone]).toEqual(["CronJob", job.cron, job.timeZone]);
  const [container] = spec.jobTemplate.spec.template.spec.containers;
  expect(container.env).toEqual([{ name: "HEARTBEAT_URL", value: ADDRESS }]);
  const lines = container.args[0].replace(/exit \$code\s*$/, "");
  expect(requestedBy(lines, 5, { HEARTBEAT_URL: ADDRESS })).toEqual([`${ADDRESS}/start`, `${ADDRESS}/5`]);
});

test.each(HEARTBEAT_PLACES)("%s holds the address, or says where it comes from", (place: HeartbeatPlace) => {
  expect(heartbeatLines(place, job)).toMatch(place === "github" ? /secrets\.HEARTBEAT_URL/ : ADDRESS);
});

test.each([
  [180.4, "180 ms"],
  [12_900, "12 sec"],
  [192_000, "3 min 12 sec"],
  [9_360_000, "2 hr 36 min"],
])("a run of %d ms took %s", (ms, said) => {
  expect(formatRuntime(ms, "en").replaceAll("\u00a0", " ")).toBe(said);
});
