#!/usr/bin/env -S node --max-semi-space-size=4
/**
 * The program's first file: main.ts, with compiled code and stripped types kept for the next start. They
 * lie beside the packages, where only those can write who may change the program itself; whoever cannot
 * write there starts without. JavaScript, because this file is read before there is a cache: to strip
 * the types of one file costs 20 MB for as long as the process lives.
 */
import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";

const { directory } = enableCompileCache(join(import.meta.dirname, "../../node_modules/.cache/vedette"));
// The threads that check find it by this variable.
if (directory) process.env.NODE_COMPILE_CACHE = directory;
await import("./main.ts");
// A server may run for months, and be killed then.
flushCompileCache();
