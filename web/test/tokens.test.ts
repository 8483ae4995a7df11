import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const web = join(import.meta.dirname, "..");
const tokens = readFileSync(join(web, "src/styles/tokens.css"), "utf8");
const comments = /\/\*[\s\S]*?\*\/|\/\/.*$/gm;
const colours =
  /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|oklch|lab)\(|\b(?:bg|text|border)-(?:red|green|gray|blue|white|black)\b/gi;

test("no colour is written in the app but in the style sheet of tokens", () => {
  const files = globSync("src/**/*.{ts,tsx,css}", { cwd: web }).filter(
    (file) => !file.endsWith("tokens.css"),
  );
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) => {
    const source = readFileSync(join(web, file), "utf8").replace(comments, "");
    return (source.match(colours) ?? []).map((colour) => `${file}: ${colour}`);
  });
  expect(found).toEqual([]);
});

test("the browser's own frame has the colour of the page in either theme", () => {
  const page = /--color-page: light-dark\((#\w+), (#\w+)\)/.exec(tokens)?.slice(1);
  const html = readFileSync(join(web, "index.html"), "utf8");
  expect([...html.matchAll(/name="theme-color" content="(#\w+)"/g)].map(([, colour]) => colour)).toEqual(
    page,
  );
});
