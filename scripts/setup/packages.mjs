import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { runNpm } from "./npm.mjs";
import { packages, readJson, root } from "./paths.mjs";
import { SetupError, say } from "./say.mjs";

/** What npm believes to have installed. Set-up never reads it: a copy or a hard link describes another folder. */
const record = join(packages, ".package-lock.json");
/** Names the packages that an install has begun to bring, and may have left in pieces; gone when it has ended. */
const unfinished = join(packages, ".vedette-unfinished.json");

const COMMON = ["install", "--no-save", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"];

/**
 * Whether everything that `scope` needs is there: "app" is what running and building Vedette takes,
 * "all" is that and what tests, checks and benches take. `runtime` is the pinned Node.
 */
export const packagesAreCurrent = (scope, runtime) =>
  !existsSync(unfinished) && existsSync(runtime) && findUnmet(scope).every(mayBeMissing);

/** Installs what `scope` lacks; removes nothing that belongs to "all" and is there already. */
export async function providePackages(scope, runtime) {
  discardUnfinished();
  if (packagesAreCurrent(scope, runtime)) return;
  await install(scope === "all" || toolsAreThere() ? "all" : "app");
  const lacking = findUnmet(scope).filter((one) => !mayBeMissing(one));
  if (existsSync(runtime) && lacking.length === 0) return;
  const what = lacking[0]?.path ?? `the pinned Node (${relative(root, runtime)})`;
  throw new SetupError(
    `npm installed everything but ${what}. Is \`omit\` set in an .npmrc, or the package registry incomplete?`,
  );
}

/** The packages that `scope` needs and that are not there in their version; `found` is what is there instead. */
function findUnmet(scope) {
  return Object.entries(lockedPackages())
    .filter(([path, { dev }]) => path.includes("node_modules/") && (scope === "all" || !dev))
    .map(([path, { version, optional }]) => ({ path, version, optional, found: versionOf(path) }))
    .filter(({ version, found }) => found === undefined || (version !== undefined && found !== version));
}

/** Binaries for other machines are never there; in another version they are. */
const mayBeMissing = ({ optional, found }) => optional === true && found === undefined;

/** What the package's own folder says; nothing where there is none, or one that a power cut has left empty. */
function versionOf(path) {
  try {
    return readJson(join(root, path, "package.json")).version;
  } catch {
    return undefined;
  }
}

const lockedPackages = () => readJson(join(root, "package-lock.json")).packages;

/** Whether tests or checks have been run here: then a newer lockfile brings the newer tools as well. */
function toolsAreThere() {
  const locked = lockedPackages();
  const paths = Object.keys(locked[""].devDependencies ?? {}).map((name) => `node_modules/${name}`);
  return paths.some((path) => locked[path]?.dev && versionOf(path) !== undefined);
}

async function install(scope) {
  say(
    `installing packages${scope === "all" ? ", those for tests and checks too" : ""}; once, about a minute …`,
  );
  writeUnfinished(findUnmet(scope).map(({ path }) => path));
  // Without its record npm looks at the folders themselves.
  rmSync(record, { force: true });
  try {
    // Not `npm ci`: it refuses a lockfile without the binaries of other machines, which npm leaves out
    // where a registry lacks them (docs/adr/0001). `--no-save` takes the locked versions just as strictly.
    // Whatever NODE_ENV and an .npmrc say: what is installed depends on the scope alone.
    await runNpm([...COMMON, scope === "all" ? "--include=dev" : "--omit=dev"]);
  } catch (error) {
    // An npm that fails puts everything back as it was; one that was stopped may not have.
    if (!error.stopped) rmSync(unfinished, { force: true });
    throw error;
  }
  rmSync(unfinished, { force: true });
}

function writeUnfinished(paths) {
  mkdirSync(packages, { recursive: true });
  const draft = `${unfinished}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(paths));
  renameSync(draft, unfinished);
}

/** After an interruption it is unknown which packages are whole; npm only looks at their package.json. */
function discardUnfinished() {
  if (!existsSync(unfinished)) return;
  say("the last install was interrupted; clearing up …");
  for (const path of readJson(unfinished)) {
    for (const piece of [path, ...findRetained(path)]) {
      rmSync(join(root, piece), { recursive: true, force: true });
    }
  }
  rmSync(unfinished);
}

/** Where npm puts the old version while it brings the new one: `.name-` and eight characters beside it. */
function findRetained(path) {
  const folder = dirname(path);
  const start = `.${basename(path)}-`;
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder))
    .filter((name) => name.startsWith(start))
    .map((name) => `${folder}/${name}`);
}
