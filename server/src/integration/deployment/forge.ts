import type { ForgeName } from "./forge-names.ts";
import type { Forge } from "./forge-types.ts";
import { githubForge } from "./github.ts";
import { gitlabForge } from "./gitlab.ts";

/** Every forge; adding one is a file, a line here and its name in forge-names.ts. */
export const FORGE_KINDS: Readonly<Record<ForgeName, Forge>> = { github: githubForge, gitlab: gitlabForge };
