import { defineConfig, type Plugin } from "rolldown";

/** One character beyond ASCII would make the engine keep the whole file with two bytes for each. */
const ascii: Plugin = {
  name: "ascii",
  renderChunk: (code) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what ASCII begins with.
    code.replace(/[^\0-\x7f]/g, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`),
};

/** One file without dependencies that any Node from 20 on runs, libraries and package.json within it. */
export default defineConfig({
  input: "src/main.ts",
  platform: "node",
  tsconfig: false,
  transform: { target: "node20" },
  plugins: [ascii],
  output: {
    file: "dist/vedette-agent.mjs",
    format: "esm",
    codeSplitting: false,
    banner: "#!/usr/bin/env node",
    // It runs on other people's machines: they can read what they install.
    minify: false,
  },
});
