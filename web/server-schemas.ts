import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";

const MARK = "?schemas";

/**
 * What a module of schemas of the server exports, as plain data: `import { ServiceCreate } from "….ts?schemas"`. The
 * forms are made of the very schemas that the server validates with; where their module brings along what only a
 * server can run, as the kinds of check do, the build reads them for the app.
 */
export const serverSchemas: Plugin = {
  name: "server-schemas",
  enforce: "pre",
  async load(id) {
    if (!id.endsWith(MARK)) return null;
    const path = id.slice(0, -MARK.length);
    this.addWatchFile(path);
    const exported = Object.entries((await import(pathToFileURL(path).href)) as Record<string, unknown>);
    const data = exported.filter(([, value]) => typeof value === "object");
    return {
      code: data.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`).join("\n"),
      moduleType: "js",
    };
  },
};
