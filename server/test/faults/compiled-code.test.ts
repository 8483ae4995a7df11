import { readdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { expectWell, installElsewhere } from "./installed-elsewhere.ts";

it("starts without a word where no compiled code can be kept", async () => {
  const { cache, start } = installElsewhere();
  writeFileSync(cache, "not a folder");
  await expectWell(await start());
});

it("starts without a word where the compiled code that was kept is damaged", async () => {
  const { cache, start } = installElsewhere();
  await expectWell(await start());
  const kept = readdirSync(cache, { recursive: true, encoding: "utf8" })
    .map((name) => join(cache, name))
    .filter((file) => statSync(file).isFile());
  expect(kept.length).toBeGreaterThan(50);
  for (const [index, file] of kept.entries()) {
    if (index % 2 === 0) truncateSync(file, Math.floor(statSync(file).size / 2));
    else writeFileSync(file, Buffer.alloc(statSync(file).size, index));
  }
  await expectWell(await start());
});
