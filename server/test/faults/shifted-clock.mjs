// Preloaded into the server under test (main thread and workers): the wall clock is off by what the file named in the query says.
import { readFileSync } from "node:fs";

const file = decodeURIComponent(new URL(import.meta.url).search.slice(1));
const realNow = Date.now.bind(Date);
let shiftMs = 0;
const read = () => {
  try {
    shiftMs = Number(readFileSync(file, "utf8"));
  } catch {
    // Not there yet: no shift.
  }
};
read();
setInterval(read, 20).unref();
Date.now = () => realNow() + shiftMs;
