// Preloaded into the server under test (main thread and workers): the wall clock is off by what the file says.
import { readFileSync } from "node:fs";

const realNow = Date.now.bind(Date);
let shiftMs = 0;
const read = () => {
  try {
    shiftMs = Number(readFileSync(process.env["TEST_CLOCK_FILE"], "utf8"));
  } catch {
    // Not there yet: no shift.
  }
};
read();
setInterval(read, 20).unref();
Date.now = () => realNow() + shiftMs;
