#!/usr/bin/env node
/**
 * Everything a machine needs before `npm start`, `npm test` or `npm run check`: the packages of
 * package-lock.json (the pinned Node among them) and the built web app. Does only what is missing,
 * so a second run takes a moment. Plain JavaScript without dependencies: it runs on whatever
 * Node the machine has, before anything is installed.
 *
 *   node scripts/setup.mjs [--no-web]
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const OLDEST_NODE = 18;
const LOCK_POLL_MS = 250;
const LOCK_PATIENCE_MS = 15 * 60_000;
/** What the web build reads besides its own folder: the wire schemas, and the versions of its packages. */
const WEB_SOURCES = ["web", "server/src/wire", "package-lock.json", "tsconfig.base.json"];
const NOT_SOURCES = new Set(["node_modules", "dist", ".vite", "test"]);

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const packages = join(root, "node_modules");
const windows = process.platform === "win32";
/** What `node` means in npm scripts: npm puts this folder first on their PATH. */
const command = join(packages, ".bin", windows ? "node.cmd" : "node");
const lockFolder = join(root, ".setup-lock");
const webStamp = join(packages, ".vedette-web-build");
const webPage = join(root, "web", "dist", "index.html");
const withWeb = !process.argv.includes("--no-web");

class SetupError extends Error {}

function main() {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < OLDEST_NODE) {
    throw new SetupError(
      `Node ${process.versions.node} is too old to set Vedette up: install Node ${OLDEST_NODE} or newer, then try again.`,
    );
  }
  const runtime = pinnedRuntime();
  if (isReady(runtime)) return;
  const release = takeLock();
  try {
    if (!packagesAreCurrent(runtime)) installPackages(runtime);
    if (!existsSync(command)) linkRuntime(runtime);
    provideExec();
    if (withWeb && !webIsCurrent()) buildWeb();
  } finally {
    release();
  }
}

const isReady = (runtime) =>
  packagesAreCurrent(runtime) && existsSync(command) && (!withWeb || webIsCurrent());

/** The npm package with this machine's Node: `node-<os>-<cpu>`, or `node-bin-…` where that is the maintained one. */
function pinnedRuntime() {
  const manifest = readJson(join(root, "package.json"));
  const os = windows ? "win" : process.platform;
  const known = Object.keys(manifest.optionalDependencies).filter((name) => name.startsWith("node-"));
  const name = known.find((one) => one.endsWith(`-${os}-${process.arch}`));
  if (!name) {
    const machines = known.map((one) => one.replace(/^node-(bin-)?/, "")).join(", ");
    throw new SetupError(
      `Vedette has no pinned Node for ${os}-${process.arch}; it runs on ${machines} (on others: in a Linux container).`,
    );
  }
  return join(packages, name, "bin", windows ? "node.exe" : "node");
}

/** npm writes down what it installed; every package of the lockfile must stand there in its version. */
function packagesAreCurrent(runtime) {
  const record = join(packages, ".package-lock.json");
  if (!existsSync(record) || !existsSync(runtime)) return false;
  const installed = readJson(record).packages;
  const wanted = readJson(join(root, "package-lock.json")).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes("node_modules/")) return true;
    const found = installed[path];
    if (!found) return entry.optional === true || entry.devOptional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

function installPackages(runtime) {
  say("installing packages; once, about a minute …");
  // Not `npm ci`: it refuses a lockfile without the binaries of other machines, which npm leaves out
  // where a registry lacks them (docs/adr/0001). `--no-save` takes the locked versions just as strictly.
  // NODE_ENV=production and the like must not leave out what building the web app needs.
  const everything = ["--include=dev", "--include=optional"];
  runNpm(["install", "--no-save", ...everything, "--no-audit", "--no-fund", "--loglevel=error"]);
  if (!existsSync(runtime)) {
    throw new SetupError(
      `npm installed everything but the pinned Node (${relative(root, runtime)}). ` +
        "Is `omit=optional` set in an .npmrc, or the package registry incomplete?",
    );
  }
}

/**
 * npm 10 forgets the link to a command that packages of other machines offer as well (here `node`),
 * when it leaves those packages out.
 */
function linkRuntime(runtime) {
  mkdirSync(dirname(command), { recursive: true });
  const target = relative(dirname(command), runtime);
  if (!windows) return symlinkSync(target, command);
  writeFileSync(command, `@"%~dp0\\${target}" %*\r\n`);
}

/**
 * `npm start` runs `exec vedette start`: with a shell in between, SIGTERM would end npm and the shell
 * and leave the server running. Windows has neither `exec` nor SIGTERM; there it just runs the rest.
 */
function provideExec() {
  const file = join(packages, ".bin", "exec.cmd");
  if (windows && !existsSync(file)) writeFileSync(file, "@%*\r\n");
}

const webIsCurrent = () =>
  existsSync(webPage) && existsSync(webStamp) && readFileSync(webStamp, "utf8") === hashSources();

function buildWeb() {
  say("building the web app …");
  const hash = hashSources();
  rmSync(webStamp, { force: true });
  runNpm(["run", "build", "-w", "web", "--loglevel=error"], {
    PATH: join(packages, ".bin") + delimiter + process.env.PATH,
  });
  writeFileSync(webStamp, hash);
}

/** One hash over names and contents: git sets new times on old contents, so times say nothing. */
function hashSources() {
  const hash = createHash("sha256");
  for (const source of WEB_SOURCES) {
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

/** npm's own output goes to standard error: standard output belongs to the command being set up for. */
function runNpm(args, environment = {}) {
  const { command, first, options } = findNpm();
  const result = spawnSync(command, [...first, ...args], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ["ignore", 2, 2],
    ...options,
  });
  if (result.error) throw new SetupError(`npm could not be started: ${result.error.message}`);
  if (result.status !== 0) {
    throw new SetupError(`\`npm ${args[0]}\` failed (see above); fix that and run the same command again.`);
  }
}

/** The npm that is running us, under the Node that runs it: the pinned Node is about to be replaced. */
function findNpm() {
  const script = process.env.npm_execpath;
  const node = process.env.npm_node_execpath;
  if (script && node && existsSync(script) && existsSync(node) && /npm-cli\.[cm]?js$/.test(script)) {
    return { command: node, first: [script], options: {} };
  }
  return { command: windows ? "npm.cmd" : "npm", first: [], options: { shell: windows } };
}

/** One set-up at a time in one checkout; the others wait and then find nothing left to do. */
function takeLock() {
  const deadline = Date.now() + LOCK_PATIENCE_MS;
  let told = false;
  while (!tryLock()) {
    if (Date.now() > deadline) {
      throw new SetupError(
        `another set-up seems stuck; if none is running, remove ${lockFolder} and try again.`,
      );
    }
    if (!told) say("waiting for another set-up of this checkout …");
    told = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_POLL_MS);
  }
  return () => rmSync(lockFolder, { recursive: true, force: true });
}

function tryLock() {
  const owner = join(lockFolder, "pid");
  try {
    mkdirSync(lockFolder);
    writeFileSync(owner, String(process.pid));
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  if (existsSync(owner) && !isAlive(Number(readFileSync(owner, "utf8")))) {
    rmSync(lockFolder, { recursive: true, force: true });
  }
  return false;
}

function isAlive(pid) {
  if (!pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));
const say = (line) => process.stderr.write(`vedette: ${line}\n`);

try {
  main();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  say(error.message);
  process.exitCode = 1;
}
