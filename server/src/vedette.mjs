#!/usr/bin/env -S MALLOC_ARENA_MAX=2 node --min-semi-space-size=4 --max-semi-space-size=4
/*
 * The first file: it runs the built server where that is of these sources (ADR 0057), else the sources. In plain JavaScript:
 * a first file in TypeScript brings the compiler that strips types into memory, 17 MB for as long as the server runs, and
 * what is imported comes from the cache (bench/NOTES.md). Its first line keeps
 * memory small: 4 MB a half for new objects in this thread, all of them from the beginning, since V8 would stay at half of that and
 * collect twice as often (bench/NOTES.md); and two arenas of the C library for all threads.
 */
import { enableCompileCache } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { builtMain, holdBuild } from "./built.mjs";

// Whatever is written, database, queue, key or backup, is for the user that runs this alone.
process.umask(0o077);

const built = builtMain();
if (built) {
  holdBuild(dirname(built));
  await import(pathToFileURL(built).href);
} else await runSources();

/**
 * Compiled code and stripped types are cached for the next start. Beside the packages, where only those can write who may
 * change the program itself; a user who cannot write there starts without.
 */
async function runSources() {
  enableCompileCache(join(import.meta.dirname, "../../node_modules/.cache/vedette"));
  await import("./main.ts");
}
