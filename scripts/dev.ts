/**
 * `npm run dev`: the server, restarted whenever one of its files changes, and vite with hot reload,
 * which passes API requests on to it. Open the address that vite prints. Arguments go to
 * `vedette start`, and the server's variables hold as always.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";

const root = join(import.meta.dirname, "..");
const DEFAULT_PORT = "8080";

const { values } = parseArgs({
  options: { host: { type: "string" }, port: { type: "string" }, data: { type: "string" } },
});
const port = values.port ?? process.env["VEDETTE_PORT"] ?? DEFAULT_PORT;
const { VEDETTE_API: api = `http://127.0.0.1:${port}`, ...environment } = process.env;

const server = run(
  root,
  // The sources, never what was built of them: main.ts is what vedette.mjs would load.
  ["--watch", "--watch-preserve-output", "server/src/main.ts", "start", ...flags()],
  { NODE_COMPILE_CACHE: join(root, "node_modules/.cache/vedette"), ...environment },
);
const web = run(join(root, "web"), [join(root, "node_modules/vite/bin/vite.js")], {
  ...environment,
  VEDETTE_API: api,
});

// Either is useless without the other, so they end together.
for (const child of [server, web]) {
  child.on("exit", (code) => {
    server.kill("SIGTERM");
    web.kill("SIGTERM");
    process.exitCode ??= code ?? 0;
  });
}
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    server.kill(signal);
    web.kill(signal);
  });
}

function run(cwd: string, args: string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, args, { cwd, env, stdio: "inherit" });
}

function flags(): string[] {
  return Object.entries(values).flatMap(([name, value]) => [`--${name}`, String(value)]);
}
