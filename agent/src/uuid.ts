import type * as crypto from "node:crypto";
import { createRequire } from "node:module";
import { readText } from "./linux/read-file.ts";

const load = createRequire(import.meta.url);

/** Node's own cryptography: 6 MB of memory once it is used, and for as long as the process lives. */
export const cryptography = (): typeof crypto => load("node:crypto") as typeof crypto;

/** A random UUID; of Linux's kernel where there is one (random(4)). */
export const newUuid = (): string =>
  readText("/proc/sys/kernel/random/uuid")?.trim() || cryptography().randomUUID();
