import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join, relative, sep } from "node:path";
import { runNpm } from "./npm.mjs";
import { packages, root } from "./paths.mjs";
import { say } from "./say.mjs";

/** What the web build reads besides its own folder: the wire schemas, those of checks, and the versions of its packages. */
const SOURCES = ["web", "server/src/wire", "server/src/check", "package-lock.json", "tsconfig.base.json"];
const NOT_SOURCES = new Set(["node_modules", "dist", ".vite", "test"]);

const stamp = join(packages, ".vedette-web-build");
const page = join(root, "web", "dist", "index.html");

/** Whether the built app was made from the sources as they are now. */
export const webIsCurrent = () =>
  existsSync(page) && existsSync(stamp) && readFileSync(stamp, "utf8") === hashSources();

/** Builds the app into web/dist. */
export async function buildWeb() {
  say("building the web app …");
  const hash = hashSources();
  rmSync(stamp, { force: true });
  await runNpm(["run", "build", "-w", "web", "--loglevel=error"], {
    PATH: join(packages, ".bin") + delimiter + process.env.PATH,
  });
  writeFileSync(stamp, hash);
}

/** One hash over names and contents: git sets new times on old contents, so times say nothing. */
function hashSources() {
  const hash = createHash("sha256");
  for (const source of SOURCES) {
    for (const file of listFiles(join(root, source))) {
      hash
        .update(`${relative(root, file).split(sep).join("/")}\0`)
        .update(readFileSync(file))
        .update("\0");
    }
  }
  return hash.digest("hex");
}

function listFiles(path) {
  if (!existsSync(path)) return [];
  let entries;
  try {
    entries = readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (error.code === "ENOTDIR") return [path];
    throw error;
  }
  return entries
    .filter((entry) => !NOT_SOURCES.has(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const child = join(path, entry.name);
      return entry.isDirectory() ? listFiles(child) : [child];
    });
}
