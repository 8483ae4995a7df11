import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";

/**
 * Puts a program named ping before all others, for this test; it notes what it is given, and the script may write more to
 * `$NOTES`. Gives what it has noted.
 */
export function fakePing(script: string): () => string {
  const folder = mkdtempSync(join(tmpdir(), "vedette-ping-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const notes = join(folder, "notes");
  writeFileSync(notes, "");
  writeFileSync(join(folder, "ping"), `#!/bin/sh\nNOTES=${notes}\necho "$@" >> ${notes}\n${script}\n`);
  chmodSync(join(folder, "ping"), 0o755);
  vi.stubEnv("PATH", `${folder}:/usr/bin:/bin`);
  onTestFinished(() => void vi.unstubAllEnvs());
  return () => readFileSync(notes, "utf8");
}
