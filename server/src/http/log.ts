import pino from "pino";

/** Anything that looks like one of our tokens, wherever in a line it stands. */
const TOKEN = /\b(vd[tap]_|whsec_)[\w+/=-]{8,}/g;
const SESSION = /(vedette_(?:session|device_\w+)=)[\w.-]+/g;

/** The program's log, as JSON lines on standard error; no token ever reaches it. */
export function createLogger(level: string, destination: pino.DestinationStream = pino.destination(2)) {
  return pino(
    {
      level,
      redact: {
        paths: ["*.password", "*.token", "*.authorization", "*.cookie", "*.authConfig", "password", "token"],
        censor: "…",
      },
      hooks: {
        streamWrite: (line) => line.replaceAll(TOKEN, "$1…").replaceAll(SESSION, "$1…"),
      },
    },
    destination,
  );
}
