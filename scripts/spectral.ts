import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { RulesetDefinition, Spectral as SpectralClass } from "@stoplight/spectral-core";

/** Lints the OpenAPI document that the argument names by Spectral's rules for OpenAPI; nothing is read from elsewhere. */
const require = createRequire(import.meta.url);
const { Spectral } = require("@stoplight/spectral-core") as { Spectral: typeof SpectralClass };
const { oas } = require("@stoplight/spectral-rulesets") as { oas: RulesetDefinition };

const spectral = new Spectral();
spectral.setRuleset({ extends: [[oas, "recommended"]] });
const findings = await spectral.run(JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")));
for (const { code, path, message } of findings) console.log(`${code}: ${message} (${path.join(".")})`);
process.exitCode = findings.length === 0 ? 0 : 1;
