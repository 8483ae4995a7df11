/**
 * `npm run build -w server`: the server as a few files in dist/, which take a third less memory than its 2,700 modules
 * (ADR 0057). vedette.mjs runs them where they were built from the sources as they are.
 */
import { dirname, join, relative, resolve, sep } from "node:path";
import { defineConfig } from "rolldown";
import { buildOf, markBuilt, sourcesNow } from "./src/built.mjs";

const source = join(import.meta.dirname, "src");

/** What the process starts with, and what its threads do. */
const ENTRIES = [
  "main",
  "engine/probe/worker",
  "checks/http/body-thread",
  "app/reader-thread",
  "monitors/import/reading-thread",
  "platform/http/body/json-thread",
  "app/http/openapi-process",
  "monitors/import/kuma-database-process",
  "checks/site/page-worker",
  "checks/toolbox/tool-worker",
  "reports/document/pdf-thread",
];
/** Packages of many small modules. All others stay where they are, and are loaded as ever. */
const BUNDLED = /^(typebox|kysely|micromark|mdast-util|css-tree|@oxc-project\/runtime)([/-]|$)/;

/** Before they are read: a change while they are built makes them old. */
const sources = sourcesNow();
/** A folder of its own: a server that runs another build finds the files of that one as long as it runs. */
const build = buildOf(sources);

const nameOf = (entry) => entry.replaceAll("/", "-");

/** Modules find their files and their threads beside themselves: here they are told where that was. */
const places = {
  name: "places",
  transform(code, id) {
    if (!id.startsWith(source + sep)) return null;
    const folder = dirname(id);
    const own = JSON.stringify(relative(build, folder).split(sep).join("/"));
    const moved = code
      .replaceAll("join(import.meta.dirname,", `join(import.meta.dirname, ${own},`)
      .replaceAll(/new URL\("([^"]+)\.ts", import\.meta\.url\)/g, (_, file) => {
        const entry = relative(source, resolve(folder, file)).split(sep).join("/");
        if (!ENTRIES.includes(entry))
          throw new Error(`${id} starts ${file}, which is no entry of rolldown.config.mjs`);
        return `new URL("./${nameOf(entry)}.mjs", import.meta.url)`;
      });
    return { code: moved, map: null };
  },
};

const stamp = { name: "stamp", writeBundle: () => markBuilt(sources) };

export default defineConfig({
  input: Object.fromEntries(ENTRIES.map((entry) => [nameOf(entry), join(source, `${entry}.ts`)])),
  platform: "node",
  external: (id) => !/^[./\0]|^[a-z]:\\/i.test(id) && !BUNDLED.test(id),
  plugins: [places, stamp],
  output: {
    dir: build,
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
    comments: false,
  },
});
