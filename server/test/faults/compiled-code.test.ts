import { readdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { expectWell, installElsewhere } from "./installed-elsewhere.ts";

it("starts without a word where no compiled code can be cached", async () => {
  const { cache, start } = installElsewhere();
  writeFileSync(cache, "not a folder");
  await expectWell(await start());
});

it("starts without a word where the cached compiled code is damaged", async () => {
  const { cache, start } = installElsewhere();
  await expectWell(await start());
  const cached = readdirSync(cache, { recursive: true, encoding: "utf8" })
    .map((name) => join(cache, name))
    .filter((file) => statSync(file).isFile());
  expect(cached.length).toBeGreaterThan(50);
  for (const [index, file] of cached.entries()) {
    if (index % 2 === 0) truncateSync(file, Math.floor(statSync(file).size / 2));
    else writeFileSync(file, Buffer.alloc(statSync(file).size, index));
  }
  await expectWell(await start());
});
